/** A living process. */
export interface ProcessInfo {
  pid: number;
  parent: number;
  group: number;
  session: number;
  isStopped: boolean;
  /** When it started, in the system's own form: with the pid it identifies a process in one run of the machine. */
  started: string;
  /**
   * Whether its environment has one of the requested marks, as far as the system shows environments. Undefined while the
   * process is becoming another program: it has no environment for a moment.
   */
  hasMark: boolean | undefined;
}

/** Members of a leader's family started when it did, or later. */
export interface Since {
  started: string;
  /** The pid of the first leader, when it is alive or has just ended: lower pids then belong to older processes. */
  pid?: number;
}

/** The living processes that started since then. `hasMark` is set only when marks are passed. */
export type ListProcesses = (marks?: ReadonlySet<string>) => ProcessInfo[];

/** The processes of this machine, without zombies. */
export interface ProcessTable {
  /** The run of the machine that `started` is counted in. */
  boot: string;
  get(pid: number): ProcessInfo | undefined;
  /** For repeated lists. A list costs as much as the processes that started since then, where the system allows it. */
  since(since: Since): ListProcesses;
  all: ListProcesses;
  /** The marks in the environment that a process was started with, as far as the system shows environments. */
  marksOf(pid: number): string[];
  /** The name of a process; empty when the system does not say. */
  nameOf(pid: number): string;
}
