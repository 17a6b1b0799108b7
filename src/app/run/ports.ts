import type { JournalPlace, RunDigest } from "../../contract/run-digest.ts";
import type { JournalLine, SignalFile } from "../../contract/run-journal.ts";
import type { EndedRun, RunSnapshot } from "../../contract/run-snapshot.ts";
import type { SignalOrigin } from "../../contract/run-fields.ts";
import type { RunStatus, StepAddress } from "../../contract/run.ts";
import type { MergeOffer } from "../../contract/merge-offer.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { AgentSignal } from "../../run/signal-rules.ts";

/** A line of a journal, where it begins and where the next one does. */
export interface PlacedLine {
  line: JournalLine;
  offset: number;
  end: number;
}

/** What a journal has come to. */
export interface JournalEnd {
  /** The greatest number of its events; 0 without any. */
  n: number;
  /** Where the next line begins. */
  end: number;
  /** Whether no event will follow. */
  isOver: boolean;
}

/** Where an event stands in its journal. */
export interface EventPlace {
  n: number;
  place: JournalPlace;
}

/** The runs of a repository, for reading. */
export interface RunStore {
  /** Ids of all runs, in no order. */
  ids(): readonly string[];
  /** Those that are over, by id. No journal is read for one that was seen before. */
  ended(): ReadonlyMap<string, EndedRun>;
  /** Ids of all others: runs that are not over, or whose journal cannot be read. */
  openIds(): string[];
  exists(runId: string): boolean;
  /** What a run has come to; the journal decides where the snapshot disagrees. */
  state(runId: string): RunSnapshot;
  /** What there is to show of a run beside its state. */
  digest(runId: string): RunDigest;
  /** The line that a digest names. */
  lineAt(runId: string, place: JournalPlace): JournalLine;
  /** Looks at the end of the journal alone where that tells. */
  journalEnd(runId: string): JournalEnd;
  /** Where its events after a number stand, in order. Reads the journal and parses none of it. */
  eventPlaces(runId: string, after: number): Iterable<EventPlace>;
  /** When the journal was last written to, in milliseconds since 1970. */
  touchedMs(runId: string): number;
  /** Whether some process drives it now. */
  isDriven(runId: string): boolean;
  /** Signals that no driver has taken up yet, oldest first. */
  pendingSignals(runId: string): SignalFile[];
  /** Lines from a place in the journal on. */
  lines(runId: string, from?: number): Iterable<PlacedLine>;
  /** How long the journal is, in bytes. */
  size(runId: string): number;
  /** Where the journal stands. */
  path(runId: string): string;
}

/** What a person says to the agent at work, by whichever process drives it. */
export interface AgentSignals {
  /** Keeps it for the driver, on disk when this returns; `to` is the attempt whose agent is meant. Gives its id in the journal. */
  signalAgent(runId: string, signal: AgentSignal, to: StepAddress, by: SignalOrigin): Promise<string>;
  /** Takes back what no driver has taken up; does nothing when one has. */
  withdraw(runId: string, signalId: string): Promise<void>;
}

/** Where the steps of runs work: each run has a checkout of its own. */
export interface RunWorktrees {
  /** Whether something of that name is there already. */
  isTaken(runId: string): boolean;
  /** Where a run's steps are to work, and how that is made. */
  plan(runId: string, beadId: string): Required<Pick<PinnedRun, "folder" | "worktree">>;
  /** Where worktrees of runs stand now, by run. */
  places(): ReadonlyMap<string, string>;
  /** The run is over: its worktree is removed, kept or set aside. Says what a person should know. Never throws. */
  ended(runId: string, pinned: PinnedRun, status: RunStatus): Promise<string | undefined>;
}

/** What runs changed, in the bytes that git prints; of all files, or only of these. */
export interface RunDiffs {
  offered(offer: MergeOffer, paths: string[]): Promise<Uint8Array>;
  /** What the run's own worktree has, or its branch when that is gone, against what it started from. */
  underWay(runId: string, pinned: PinnedRun, paths: string[]): Promise<{ diff: Uint8Array; untracked: string[] }>;
}

/** What git and the disk have to say before a run begins. Starts git and changes nothing; each throws when it cannot be. */
export interface RunGround {
  /** A name that git can write into a commit. */
  refuseNameless(): Promise<void>;
  /** Room on the disk for a checkout of this commit. */
  refuseNoRoom(base: string): Promise<void>;
  /** The place of the bead's worktree is free, or what stands there can be put away. */
  refuseTakenPlace(beadId: string): Promise<void>;
}

/** What runs without a driver may have left behind. */
export interface RunRemains {
  /** Processes of its steps that are still alive. */
  processes(runId: string): number[];
  endProcesses(runId: string): Promise<number[]>;
  /** The branch whose checkout holds half of a merge, because the run was cut off while it landed. */
  halfLanded(runId: string): Promise<string | undefined>;
  /** Brings that checkout back to what it was; gives copies of what only looked like half of a file. */
  mendLanding(runId: string): Promise<string[]>;
  /** Whether the run's worktree was made, and is gone. */
  lostWorktree(runId: string, pinned: PinnedRun): boolean;
  /** Makes a worktree again that is gone; gives the reason when that cannot be. */
  makeWorktree(runId: string, pinned: PinnedRun): Promise<string | undefined>;
}

/** Which run works on which bead: one at most, also between processes. */
export interface Claims {
  /**
   * Gives the run that holds the bead, or lets `start` make one that does. Only one process at a time is in here for
   * all beads; `isOpen` tells whether a run still holds its bead, `find` looks through all runs.
   */
  claim(beadId: string, asks: ClaimQuestions): Promise<{ runId: string; isNew: boolean }>;
  /** This process drives the run that holds the bead. */
  drive(beadId: string, runId: string): Promise<void>;
  /** The run has ended. */
  release(beadId: string, runId: string): Promise<void>;
  /** The run that holds the bead, as far as the claim says. */
  holder(beadId: string): string | undefined;
  all(): Claim[];
  /** A claim that a crash left without its run gets the one that `find` finds, or goes, once its bead is given back. */
  mend(
    beadId: string,
    asks: Pick<ClaimQuestions, "giveBack"> & { find: () => string | undefined },
  ): Promise<string | undefined>;
}

export interface Claim {
  bead: string;
  /** Null while it is being made. */
  run: string | null;
  /** Whether the process that drove it last is still alive. */
  isDriven: boolean;
  /** That process: a number, and when it started as the system tells it. */
  driver: { pid: number; started: string };
}

export interface ClaimQuestions {
  isOpen: (runId: string) => boolean;
  /** Looks through the runs; `isBegun` when a claim was begun, and what became of it is unknown. */
  find: (isBegun: boolean) => string | undefined;
  /** The run that held the bead is over, and a crash kept it from saying so: finishes that. */
  settle: (runId: string) => Promise<void>;
  /** Throws when no run can begin; asked before anything is written. */
  check?: () => Promise<void>;
  /** What the bead's keeper has to hear when no run comes of this is told to `note`, and on disk when that returns. */
  start: (note: (mark: string) => void) => Promise<string>;
  /** No run came of a claim that was noted so. False when what becomes of the bead is not settled. */
  giveBack: (mark: string) => Promise<boolean>;
}

/** The process that gives a command, as the system tells of it. */
export interface Caller {
  user: string;
  /** Such as /dev/pts/3; null without one. */
  terminal: string | null;
  pid: number;
  /** For whom it asks, when it is not for itself: the token that came with a request to the daemon. */
  for?: string;
  /** The steps that it runs below, each with the process that carries its mark; none for a person's own. */
  steps: CallerStep[];
}

/** Who asks the daemon, or over MCP. Without a person's token, it may be an agent: they run as the same user. */
export interface Asker {
  name: string;
  isPerson: boolean;
  /** It asks over MCP, and is an agent. */
  overMcp?: true;
}

export interface CallerStep {
  /** Names the step in all its attempts. */
  step: string;
  /** Its run; null when the mark does not tell. Of an agent that no step started, its session. */
  run: string | null;
  /** What an agent that no step started works in: a work session, or a talk; or the command of a plan. Or it asked over MCP, or the daemon and did not say who it is. */
  agent?: "work" | "talk" | "turn" | "mcp" | "unknown";
  pid: number;
  program: string;
}
