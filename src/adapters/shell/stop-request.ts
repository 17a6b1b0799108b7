/** Why a child is ended before it ends itself. */
export type StopReason = { ended: "aborted" | "too_much_output" } | { thrown: unknown };

/** A request to stop; the first reason counts. */
export interface Stop {
  requested: Promise<void>;
  reason(): StopReason | undefined;
  request(reason: StopReason): void;
  /** Runs `work` unless a stop was requested; an error that it throws is a request. */
  unlessRequested<T>(work: () => T): T | undefined;
  /** Stops listening to the signal. */
  release(): void;
}

export function createStop(signal: AbortSignal): Stop {
  let firstReason: StopReason | undefined;
  let wake: () => void;
  const requested = new Promise<void>((resolve) => (wake = resolve));
  const request = (reason: StopReason): void => {
    firstReason ??= reason;
    wake();
  };
  const onAbort = (): void => request({ ended: "aborted" });
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return {
    requested,
    reason: () => firstReason,
    request,
    unlessRequested(work) {
      if (firstReason !== undefined) return undefined;
      try {
        return work();
      } catch (thrown) {
        request({ thrown });
        return undefined;
      }
    },
    release: () => signal.removeEventListener("abort", onAbort),
  };
}
