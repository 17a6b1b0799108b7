import type { SettingOrigin, Settings } from "../contract/settings.ts";
import type { Beads } from "./beads.ts";
import type { Doctor } from "./doctor.ts";
import type { SessionFinder } from "./find-session.ts";
import type { Inbox } from "./inbox.ts";
import type { Lists } from "./lists.ts";
import type { Log } from "./log.ts";
import type { Projections } from "./projections.ts";
import type { ListedRun } from "./run-reading.ts";
import type { Runs, UnfinishedRun } from "./runs.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Search } from "./search.ts";
import type { Sessions } from "./sessions.ts";
import type { Show } from "./show.ts";
import type { Status } from "./status.ts";
import type { Worktrees } from "./worktrees.ts";

/** Everything a front end can ask for, in one repository. What is heavy is loaded when it is asked for. */
export interface App {
  root: string;
  settings: Settings;
  origins: SettingOrigin[];
  sessions: Sessions;
  finder: SessionFinder;
  lists: Lists;
  show: Show;
  projections: Projections;
  log(): Promise<Log>;
  search(): Promise<Search>;
  inbox(): Promise<Inbox>;
  status(): Promise<Status>;
  doctor(): Promise<Doctor>;
  runs(): Promise<Runs>;
  worktrees(): Promise<Worktrees>;
  beads(): Promise<Beads>;
  scheduler(): Promise<Scheduler>;
  /** The run of a bead that is not over and would give it another status than this one. */
  runAgainst(beadId: string, status: string): Promise<UnfinishedRun | undefined>;
  /** Whether `clew init`, or a first session, has been here. */
  isSetUp(): boolean;
  /** The latest run of a bead; undefined when it never had one. */
  latestRunOf(beadId: string): Promise<ListedRun | undefined>;
  /** Makes `.clew/` with its ignore rules; returns what was made. */
  init(): string[];
  /** Path of a session's file. */
  pathOf(sessionId: string): string;
  close(): Promise<void>;
}
