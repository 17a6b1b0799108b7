import type { Redacted } from "../../contract/redacted.ts";

/** What a process that took the daemon's place wrote down of itself. */
export interface Registration {
  /** Of this start of it. */
  id: string;
  /** `scheduler`: `clew daemon run --once`, which serves nobody. */
  kind: "daemon" | "scheduler";
  pid: number;
  /** With the pid it identifies a process in one run of the machine. */
  process_started: string;
  boot: string;
  /** Of the program. */
  program: string;
  started: string;
  /** The repository's main checkout. */
  root: string;
  /** Null until it listens. */
  socket: string | null;
  url: string | null;
  /** It was asked to end, and lets its runs come to rest. */
  is_ending: boolean;
}

/** The place of the daemon, while this process has it. */
export interface HeldPlace {
  readonly id: string;
  /** Tells others where it listens. */
  register(doors: Pick<Registration, "socket" | "url">): Registration;
  /** Tells others that it ends now: no process should rely on it any more. */
  announceEnd(): void;
  /**
   * False when this process is not the repository's daemon any more: its folder was moved or deleted, or another daemon has
   * registered. Where only its own registration is missing, that is written again.
   */
  isOurs(): boolean;
  /** Takes the registration away and lets others in. */
  release(): void;
}

/** Who is the daemon of a repository. A lock that a dead process cannot hold decides; the registration names its holder. */
export interface DaemonPlace {
  /** Throws when another process has it. */
  take(kind: Registration["kind"]): HeldPlace;
  /** Whether a process has it now. */
  isTaken(): boolean;
  /** What was registered last; undefined when there is nothing, or nothing that can be read. */
  registered(): Registration | undefined;
  /** Whether the process that registered still lives. A later process with its number is not it. */
  isAlive(registration: Registration): boolean;
  /** Asks a process to end, if it is still the one that registered. */
  askToEnd(registration: Registration): void;
}

/** Where daemons listen. */
export interface Sockets {
  /**
   * The path of this repository's socket, in a folder of the user's own. A socket that a dead daemon left there is removed, so
   * that only who has the daemon's place may ask. Throws when the folder is not safe, or another process listens there.
   */
  prepare(): Promise<string>;
  /** Only the user may connect from now on. */
  protect(socket: string): void;
  /** Which daemon answers there; undefined when none does. Never throws, and never takes long. */
  ask(socket: string): Promise<SocketAnswer | undefined>;
}

/** The daemon that answers on a socket; `busy` when it refuses to answer for now. */
export type SocketAnswer = { id: string } | "busy";

/** The daemon's log, which it keeps short by itself. */
export interface DaemonLog {
  path: string;
  /** One line. Never throws: a daemon goes on without its log. */
  write(at: string, type: string, facts: Redacted<object>): void;
  /** Where the next line will begin. */
  end(): number;
  /** The last lines behind a place. */
  linesSince(place: number): string[];
}

/** The process that the daemon is. */
export interface OwnProcess {
  /** One request to end is enough: further ones must not cut off what it still has to do. A fault that nobody caught is told, and ends it. */
  guard(onFault: (error: unknown) => void): void;
}

/** A daemon that was started in the background. */
export interface SpawnedDaemon {
  pid: number | undefined;
  hasEnded(): boolean;
}

/** Changes of some files. */
export interface Changes {
  /** False while the system does not report all of them: a caller that must not miss one has to poll. */
  readonly isWatched: boolean;
  /** Resolves when something changed since it was last asked, when the time has passed, or when the signal is aborted. */
  next(signal?: AbortSignal, ms?: number): Promise<void>;
  close(): void;
}
