import type { RefusedItem } from "../contract/api/inbox.ts";
import type { SettingOrigin, Settings } from "../contract/settings.ts";
import type { BeadsApiParts } from "../app/bead/api.ts";
import type { Beads } from "../app/bead/beads.ts";
import type { Doctor } from "../app/doctor/examine.ts";
import type { SessionFinder } from "../app/session/find.ts";
import type { Lists } from "../app/session/list.ts";
import type { Log } from "../app/session/log.ts";
import type { OpenSessions } from "../app/session/open-sessions.ts";
import type { SessionOwners } from "../app/session/owner.ts";
import type { Clock } from "../app/session/ports.ts";
import type { Projections } from "../app/session/projections.ts";
import type { RunsApiParts } from "../app/run/api.ts";
import type { SchedulerParts } from "../app/scheduler/ports.ts";
import type { Search } from "../app/search/find.ts";
import type { Sessions } from "../app/session/lifecycle.ts";
import type { Show } from "../app/session/show.ts";
import type { Status } from "../app/status/overview.ts";
import type { Worktrees } from "../app/worktree/worktrees.ts";

/** Everything a front end can ask for, in one repository. What is heavy is loaded when it is asked for. */
export interface App {
  root: string;
  settings: Settings;
  origins: SettingOrigin[];
  sessions: Sessions;
  openSessions: OpenSessions;
  owners: SessionOwners;
  finder: SessionFinder;
  lists: Lists;
  show: Show;
  projections: Projections;
  log(): Promise<Log>;
  search(): Promise<Search>;
  /** Beads that the scheduler could not start. */
  refusedBeads(): Promise<RefusedItem[]>;
  status(): Promise<Status>;
  doctor(): Promise<Doctor>;
  runs(): Promise<RunsApiParts>;
  worktrees(): Promise<Worktrees>;
  beads(): Promise<Beads>;
  beadParts(): Promise<BeadsApiParts>;
  scheduler(): Promise<SchedulerParts>;
  /** Whether `clew init`, or a first session, has been here. */
  isSetUp(): boolean;
  /** Makes `.clew/` with its ignore rules; returns what was made, and what of an earlier version was brought up to this one. */
  init(): Promise<{ made: string[]; renewed: string[] }>;
  /** Path of a session's file. */
  pathOf(sessionId: string): string;
  clock: Clock;
  /** Resolves after so long, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  close(): Promise<void>;
}
