/** Why a child is ended before it ends itself. */
export type StopReason = { ended: "aborted" | "too_much_output" } | { thrown: unknown };

/** Asked once, by whoever comes first. */
export interface Stop {
  asked: Promise<void>;
  reason(): StopReason | undefined;
  ask(reason: StopReason): void;
  /** Does the work unless it is too late for it; what it throws asks to stop. */
  unlessAsked<T>(work: () => T): T | undefined;
  /** Listens to the signal no more. */
  release(): void;
}

export function createStop(signal: AbortSignal): Stop {
  let first: StopReason | undefined;
  let wake: () => void;
  const asked = new Promise<void>((resolve) => (wake = resolve));
  const ask = (reason: StopReason): void => {
    first ??= reason;
    wake();
  };
  const onAbort = (): void => ask({ ended: "aborted" });
  signal.addEventListener("abort", onAbort);
  if (signal.aborted) onAbort();
  return {
    asked,
    reason: () => first,
    ask,
    unlessAsked(work) {
      if (first !== undefined) return undefined;
      try {
        return work();
      } catch (thrown) {
        ask({ thrown });
        return undefined;
      }
    },
    release: () => signal.removeEventListener("abort", onAbort),
  };
}
