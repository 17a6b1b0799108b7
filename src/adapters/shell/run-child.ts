import { setTimeout as pause } from "node:timers/promises";
import { defaultGraceMs, endProcesses } from "./end-processes.ts";
import { createFamily, watchFamily, type Members } from "./family.ts";
import { startObstacle } from "./find-program.ts";
import { startGated, type GatedChild, type GatedSpec } from "./gate.ts";
import { markedBy } from "./process-marks.ts";
import { systemProcesses } from "./processes.ts";
import { readOutput } from "./read-output.ts";
import { createStop } from "./stop-request.ts";
import { withoutTokens } from "./without-tokens.ts";

/** A program to run as a child. The mark is added to its environment, and tokens of the API are left out. */
export interface ChildSpec extends GatedSpec {
  /** A unique word, by which all processes that the child starts are found. */
  mark: string;
  /** Whether processes that leave the child's group may go on after it. */
  detach?: boolean;
  /** A child that prints more is ended. */
  maxOutputBytes?: number;
  /** Whether bytes of stdout that are no UTF-8 come as `ByteDecoder` tells them, and not as U+FFFD. */
  keepsBytes?: boolean;
}

/** Identifies a child after a crash. */
export interface ChildRecord {
  pid: number;
  /** When it started, in the system's own form: another process may have the same pid by now. */
  started: string;
  /** The run of the machine that `pid` and `started` belong to. */
  boot: string;
  mark: string;
}

export interface ChildListeners {
  /** Ends the child at any time, also before it started. */
  signal: AbortSignal;
  /** Called before the child does anything; what it throws ends the child and is thrown again. */
  onStarted(record: ChildRecord): void;
  /** Text as it arrives, in whole characters; what they throw ends the child and is thrown again. */
  onStdout(text: string): void;
  onStderr(text: string): void;
  /** How long processes have to end by themselves after a TERM. */
  graceMs?: number;
  /** Ends that time at once; the caller aborts `signal`, too. */
  kill?: AbortSignal;
}

export interface ChildEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  ended: "exited" | "aborted" | "too_much_output";
  /** Why it could not be started at all, in words for a person; `code` is then 127. */
  error?: string;
  /** Processes that could not be ended: another user's, or stuck in the kernel. */
  survivors?: number[];
}

/** How long processes that the child left may go on printing, so that a `tee` can finish. */
const lingerMs = 100;

/**
 * Runs a program in its own group and session, and ends all processes that it started. However the program ends is a result.
 * Throws only what a listener threw.
 */
export async function runChild(spec: ChildSpec, listeners: ChildListeners): Promise<ChildEnd> {
  if (listeners.signal.aborted) return { code: null, signal: null, ended: "aborted" };
  const obstacle = startObstacle(spec);
  if (obstacle !== undefined) return notStarted(obstacle);
  let gated: GatedChild;
  try {
    gated = await startGated({ ...spec, env: { ...withoutTokens(spec.env), ...markedBy(spec.env, spec.mark) } });
  } catch (error) {
    return notStarted(`it could not be started: ${(error as Error).message}`);
  }
  try {
    return await supervise(gated, spec, listeners);
  } finally {
    gated.release();
  }
}

function notStarted(error: string): ChildEnd {
  return { code: 127, signal: null, ended: "exited", error };
}

async function supervise(
  gated: GatedChild,
  { mark, detach = false, maxOutputBytes, keepsBytes }: ChildSpec,
  listeners: ChildListeners,
): Promise<ChildEnd> {
  const { pid, exited } = gated;
  const table = systemProcesses();
  const leader = { pid, started: table.get(pid)?.started ?? "", mark };
  const family = createFamily({ table, leaders: [leader], mayBeStale: false });
  const stop = createStop(listeners.signal);

  await Promise.race([gated.ready, exited, stop.requested]);
  stop.unlessRequested(() => listeners.onStarted({ ...leader, boot: table.boot }));
  const reading = stop.unlessRequested(() =>
    readOutput(
      gated.open(),
      {
        onStdout: (text) => listeners.onStdout(text),
        onStderr: (text) => listeners.onStderr(text),
        onTooMuch: () => stop.request({ ended: "too_much_output" }),
        onThrown: (thrown) => stop.request({ thrown }),
      },
      { maxBytes: maxOutputBytes, keepsBytes },
    ),
  );

  const unwatch = watchFamily(family);
  await Promise.race([exited, stop.requested]);
  // An open stream keeps Clew alive by itself; this timer must not.
  await Promise.race([reading?.closed, stop.requested, pause(lingerMs, undefined, { ref: false })]);
  unwatch();
  const { graceMs = defaultGraceMs, kill } = listeners;
  const look = (): Members => {
    const isStopped = stop.reason() !== undefined;
    return family.look({ byMark: !detach || isStopped, groupOnly: detach && !isStopped });
  };
  const { survivors } = await endProcesses(look, { graceMs, ...(kill && { kill }) });
  await reading?.finish();
  const { code, signal } = survivors.includes(pid) ? { code: null, signal: null } : await exited;
  stop.release();

  const reason = stop.reason();
  if (reason !== undefined && "thrown" in reason) throw reason.thrown;
  return { code, signal, ended: reason?.ended ?? "exited", ...(survivors.length > 0 && { survivors }) };
}
