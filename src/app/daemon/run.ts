import type { DaemonInfo, DaemonNews } from "../../contract/api/daemon.ts";
import type { RedactValue } from "../../contract/redacted.ts";
import { streamOf } from "../run/stream.ts";
import type { SchedulerParts } from "../scheduler/ports.ts";
import { SchedulerWatch } from "../scheduler/watch.ts";
import { daemonInfo } from "./find.ts";
import type { DaemonServer, Listen } from "./ports.ts";
import type { DaemonLog, DaemonPlace, HeldPlace, OwnProcess, Sockets } from "./process-ports.ts";
import { keepUp, type UpkeepParts } from "./upkeep.ts";

export interface RunParts {
  place: DaemonPlace;
  sockets: () => Promise<Sockets>;
  listen: Listen;
  log: DaemonLog;
  scheduler: () => Promise<SchedulerParts>;
  upkeep: UpkeepParts;
  own: OwnProcess;
  /** From now on, what need not stop a command is told here. */
  onWarning: (listener: (message: string) => void) => void;
  redact: () => Promise<RedactValue>;
  nowIso: () => string;
}

interface Opened {
  held: HeldPlace;
  server: DaemonServer;
  self: DaemonInfo;
}

/** How often the daemon makes sure that the repository is still there, and still its own. */
const lookAtPlaceMs = 5_000;

/** This process is the daemon until the signal, or until the reader leaves. Throws when it cannot be. */
export async function runDaemon(
  parts: RunParts,
  port: number | undefined,
  signal: AbortSignal | undefined,
): Promise<AsyncIterable<DaemonNews>> {
  const redact = await parts.redact();
  parts.own.guard((error) => {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parts.log.write(parts.nowIso(), "daemon.fault", redact({ message }));
  });
  const opened = await open(parts, port);
  let scheduler: SchedulerParts;
  try {
    scheduler = await parts.scheduler();
  } catch (error) {
    await close(opened);
    throw error;
  }
  return streamOf<DaemonNews, void>((tell, stop) => serve(parts, opened, { scheduler, redact, tell, stop }), signal);
}

/** Takes the daemon's place, opens its doors and registers them, in this order. */
async function open({ place, listen, ...parts }: RunParts, port: number | undefined): Promise<Opened> {
  const sockets = await parts.sockets();
  const held = place.take("daemon");
  let server: DaemonServer | undefined;
  try {
    const socket = await sockets.prepare();
    const registered: { self?: DaemonInfo } = {};
    server = await listen({ socket, port }, () => {
      if (registered.self) return registered.self;
      throw new Error("the daemon is asked who it is before it has registered");
    });
    sockets.protect(server.socket);
    const self = daemonInfo(held.register({ socket: server.socket, url: server.url }))!;
    registered.self = self;
    return { held, server, self };
  } catch (error) {
    await server?.close();
    held.release();
    throw error;
  }
}

async function close({ server, held }: Opened): Promise<void> {
  try {
    await server.close();
  } finally {
    held.release();
  }
}

interface Serving {
  scheduler: SchedulerParts;
  redact: RedactValue;
  tell: (news: DaemonNews) => void;
  stop: AbortSignal;
}

async function serve(parts: RunParts, opened: Opened, { scheduler, redact, tell, stop }: Serving): Promise<void> {
  const { log, nowIso, upkeep } = parts;
  const ending = new AbortController();
  const signal = AbortSignal.any([stop, ending.signal]);
  const note = (type: string, facts: object): void => log.write(nowIso(), type, redact(facts));
  /** The numbered events of runs are in their journals. */
  const report = (news: DaemonNews): void => {
    if (!("n" in news)) {
      const { type, at, ...facts } = news;
      log.write(at, type, redact(facts));
    }
    tell(news);
  };
  const trouble = (message: string): void => report({ type: "daemon.trouble", at: nowIso(), message });
  parts.onWarning(trouble);
  signal.addEventListener("abort", () => opened.held.announceEnd());
  try {
    report({ type: "daemon.listening", at: nowIso(), daemon: opened.self });
    const watch = new SchedulerWatch(scheduler, {
      once: false,
      signal,
      tell: ({ type, ...facts }) => report({ type, at: nowIso(), ...facts } as DaemonNews),
      onLine(workflow_id, line) {
        if ("n" in line) report({ ...line, workflow_id });
      },
    });
    const telling = {
      signal,
      note,
      trouble: (what: string, error: unknown) => trouble(`${what}: ${(error as Error).message}`),
    };
    const guarding = guardPlace(parts, opened.held, { signal, trouble, end: () => ending.abort() });
    await endTogether([watch.toItsEnd(), keepUp(upkeep, telling), guarding], () => ending.abort());
  } finally {
    ending.abort();
    await close(opened);
    note("daemon.ended", {});
  }
}

/** Ends all when one of them has ended. Resolves when all have; rejects when one failed, and not before the others are done. */
async function endTogether(works: Promise<void>[], end: () => void): Promise<void> {
  const ends = await Promise.allSettled(works.map((work) => work.finally(end)));
  const failed = ends.find((each) => each.status === "rejected");
  if (failed) throw failed.reason;
}

interface Guarding {
  signal: AbortSignal;
  trouble: (message: string) => void;
  end: () => void;
}

/** A daemon whose repository was moved, deleted or taken over by another daemon ends. */
async function guardPlace({ upkeep }: RunParts, held: HeldPlace, { signal, trouble, end }: Guarding): Promise<void> {
  while (!signal.aborted) {
    await upkeep.sleep(lookAtPlaceMs, signal);
    if (signal.aborted || held.isOurs()) continue;
    trouble("the repository was moved or deleted, or has another daemon: this one ends");
    end();
  }
}
