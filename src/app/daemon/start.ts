import type { DaemonInfo } from "../../contract/api/daemon.ts";
import { ClewError } from "../../contract/errors.ts";
import { holderOf } from "./find.ts";
import type { DaemonLog, DaemonPlace, Sockets, SpawnedDaemon } from "./process-ports.ts";

export interface StartParts {
  root: string;
  place: DaemonPlace;
  sockets: () => Promise<Pick<Sockets, "ask">>;
  log: Pick<DaemonLog, "path" | "end" | "linesSince">;
  spawn: (port: number | undefined) => Promise<SpawnedDaemon>;
  /** One start at a time: the others find its daemon. */
  withLock: <T>(work: () => Promise<T>) => Promise<T>;
  elapsedMs: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

interface StartedDaemon {
  daemon: DaemonInfo;
  is_new: boolean;
}

/** So long a daemon may take until it listens. */
const limitMs = 30_000;
const lookEveryMs = 40;

/** Starts a daemon in the background, unless there is one. Returns when it answers on its socket. */
export function startDaemon(parts: StartParts, port: number | undefined): Promise<StartedDaemon> {
  return parts.withLock(() => startOrFind(parts, port));
}

async function startOrFind(parts: StartParts, port: number | undefined): Promise<StartedDaemon> {
  const { place, log, root } = parts;
  const sockets = await parts.sockets();
  const startedMs = parts.elapsedMs();
  const logEnd = log.end();
  let spawned: SpawnedDaemon | undefined;
  for (;;) {
    // Asked first: what it registered before it ended is seen below.
    const hasEnded = spawned?.hasEnded() ?? false;
    const holder = holderOf(place);
    const daemon = holder?.daemon;
    // A daemon whose folder was moved here ends by itself, and is waited for.
    const answer = daemon?.root === root ? await sockets.ask(daemon.socket) : undefined;
    if (daemon && answer !== undefined && answer !== "busy" && answer.id === daemon.id) {
      refuseOtherPort(daemon, port);
      return { daemon, is_new: daemon.pid === spawned?.pid };
    }
    if (holder?.registration.kind === "scheduler") throw schedulerAtWork(holder.registration.pid);
    if (!holder && hasEnded) throw didNotComeUp("it ended before it listened", parts, logEnd);
    // While another one ends, its place is not free.
    if (!holder) spawned ??= await parts.spawn(port);
    if (parts.elapsedMs() - startedMs > limitMs) {
      if (daemon && answer === "busy") throw tooBusy(daemon);
      throw didNotComeUp(`it does not listen after ${limitMs / 1000} s`, parts, logEnd);
    }
    await parts.sleep(lookEveryMs);
  }
}

function refuseOtherPort({ url, pid }: DaemonInfo, port: number | undefined): void {
  const ownPort = url === null ? undefined : Number(new URL(url).port);
  if (port === undefined || port === ownPort || (port === 0 && ownPort !== undefined)) return;
  const where = url === null ? "on its socket alone" : `at ${url}`;
  throw new ClewError(
    "not_possible_now",
    `a daemon runs already, process ${pid}, and listens ${where}`,
    `clew daemon stop, then clew daemon start --port ${port}`,
  );
}

export function schedulerAtWork(pid: number): ClewError {
  return new ClewError(
    "not_possible_now",
    `clew daemon run --once is at work in this repository: process ${pid}`,
    "it ends by itself when nothing is ready any more, or by Ctrl-C in its terminal",
  );
}

function tooBusy({ pid }: DaemonInfo): ClewError {
  const message = `a daemon runs already, process ${pid}, and refuses to answer: it is asked too often`;
  return new ClewError(
    "too_many_requests",
    message,
    "find the program that asks it again and again, or try again later",
  );
}

function didNotComeUp(why: string, { log }: StartParts, logEnd: number): ClewError {
  const lines = log.linesSince(logEnd);
  const told = lines.length === 0 ? "" : `; its log ends in:\n${lines.map((line) => `  ${line}`).join("\n")}`;
  return new ClewError("not_possible_now", `the daemon did not come up: ${why}${told}`, `all of its log: ${log.path}`);
}
