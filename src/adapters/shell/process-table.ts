/** A process that is alive. */
export interface ProcessInfo {
  pid: number;
  parent: number;
  group: number;
  session: number;
  isStopped: boolean;
  /** When it started, as the system tells it: with the pid it names one process of one run of the machine. */
  started: string;
  /**
   * Whether its environment has one of the marks that were asked for, as far as the system shows environments. Undefined
   * while nobody can tell: a process that is becoming another program has no environment for a moment.
   */
  hasMark: boolean | undefined;
}

/** Processes that have something in common with a leader can only be among those that started when it did, or later. */
export interface Since {
  started: string;
  /** The pid of the first of them, when it is alive or has just been: pids below it are older processes' then. */
  pid?: number;
}

/** Who is alive now of those that started since then. The marks are looked for when they are given. */
export type ListProcesses = (marks?: ReadonlySet<string>) => ProcessInfo[];

/** What the system tells of the processes on this machine. Zombies are not in it. */
export interface ProcessTable {
  /** The run of the machine that `started` is counted in. */
  boot: string;
  get(pid: number): ProcessInfo | undefined;
  /** To look again and again. It costs what the processes are that started since then, as far as the system can tell. */
  since(since: Since): ListProcesses;
  /** Everybody. */
  all: ListProcesses;
  /** The marks in the environment that a process was started with, as far as the system shows environments. */
  marksOf(pid: number): string[];
  /** What a process is called; empty when nobody knows. */
  nameOf(pid: number): string;
}
