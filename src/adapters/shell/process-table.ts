/** A process that is alive. */
export interface ProcessInfo {
  pid: number;
  parent: number;
  group: number;
  session: number;
  stopped: boolean;
  /** When it started, as the system tells it: with the pid it names one process of one run of the machine. */
  started: string;
  /** Whether its environment has one of the marks that were asked for, as far as the system shows environments. */
  marked: boolean;
}

/** What the system tells of the processes on this machine. Zombies are not in it. */
export interface ProcessTable {
  /** The run of the machine that `started` is counted in. */
  boot: string;
  one(pid: number): ProcessInfo | undefined;
  /** Everybody. Looking for marks costs more than all the rest: only those that started since then are looked at. */
  all(marks?: ReadonlySet<string>, since?: string): ProcessInfo[];
  /** The marks in the environment that a process was started with, as far as the system shows environments. */
  marksOf(pid: number): string[];
  /** What a process is called; empty when nobody knows. */
  nameOf(pid: number): string;
}
