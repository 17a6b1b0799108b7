import type { DriveNews } from "../../contract/api/run.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { RunSnapshot } from "../../contract/run-snapshot.ts";
import type { Signal, StepAddress } from "../../contract/run.ts";
import type { Handlers } from "../../run/handlers.ts";
import type { DriveEnd } from "../../run/run-host.ts";
import type { AgentSignal } from "../../run/signal-rules.ts";
import { streamOf } from "./stream.ts";
import type { Redact } from "../../contract/redacted.ts";
import { originOf, refuseFromStep, refuseFromWork, refuseOwnRun } from "./authority.ts";
import { offersOf, refuseOtherTree } from "./offers.ts";
import type { AgentSignals, Caller, RunWorktrees } from "./ports.ts";
import { isOver, readPinnedRun, statusNow } from "./read.ts";
import { refuseSecrets } from "./refusals.ts";
import { refuseUnknownInputs } from "./retry-inputs.ts";
import type { RunParts } from "./parts.ts";
import { refuseReachedLimit } from "./refuse-reached-limit.ts";
import { refuseSignal } from "./signals.ts";

/** What the process that drives runs brings along. */
export interface DriverGround {
  /** One for each kind of work. */
  handlers: Required<Handlers>;
  /** Keeps git from showing what a run leaves in the checkout for this machine alone. */
  hideOwnFiles: () => void;
  /** Throws when this process cannot drive runs: there is nowhere to put their files. */
  refuseUnfit: () => void;
  /** Throws when there is no such engine, or it cannot be started. */
  refuseEngine: (name: string, settings: PinnedRun["settings"]) => void;
  /** The process that asks for all this. */
  caller: () => Caller;
  redact: Redact;
  nowMs: () => number;
  /** Returns when the time has passed, or the signal is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

interface Parts extends RunParts {
  worktrees: Pick<RunWorktrees, "ended">;
  agentSignals: AgentSignals;
  ground: DriverGround;
}

export interface FollowOptions {
  /** From where in the journal lines are told: its beginning, or only what is new. */
  from: "beginning" | "now";
  /** Stops driving or following. A StoppedByPerson as its reason is kept. */
  signal?: AbortSignal | undefined;
}

/** What goes with a signal. */
export interface SignalRequest {
  /** What was called, for the record: `clew run approve`. */
  command: string;
  /** Only if this tree is still what would be merged. */
  tree?: string | undefined;
}

export type FollowEnd = Exclude<DriveEnd, { kind: "busy" }>;

const lookEveryMs = 100;

/** Runs that exist: drives them, tells them something, and finishes what follows from their end. */
export class RunControl {
  readonly #parts: Parts;
  #puttingAway: Promise<string | undefined>[] = [];

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Drives a run until it ends, waits or is interrupted; while another process drives it, follows that one, and takes
   * over if it dies. Throws when this process may not. Leaving the stream stops driving.
   */
  driveOrFollow(runId: string, { from, signal }: FollowOptions): AsyncGenerator<DriveNews, FollowEnd, undefined> {
    const { store, ground } = this.#parts;
    const state = store.state(runId);
    this.#refuseDriving(state);
    ground.hideOwnFiles();
    const fromBytes = from === "beginning" ? 0 : store.size(runId);
    return streamOf((tell, stop) => this.#drive(state, { fromBytes, tell, signal: stop }), signal);
  }

  async #drive(
    state: RunSnapshot,
    { fromBytes, tell, signal }: { fromBytes: number; tell: (news: DriveNews) => void; signal: AbortSignal },
  ): Promise<FollowEnd> {
    const { host, store, sessions, ground } = this.#parts;
    const { id: runId } = state;
    const bead = this.#beadFollower(state);
    let deliveredTo = fromBytes;
    let isOwn = false;
    const tellLine = (line: JournalLine): void => tell({ kind: "line", line });
    const catchUp = (): void => {
      for (const { line, end } of store.lines(runId, deliveredTo)) {
        deliveredTo = end;
        tellLine(line);
      }
    };
    const session = sessions.of(runId);
    const onLine = (line: JournalLine): void => {
      // What others wrote before comes first; from then on, all lines are ours.
      if (isOwn) tellLine(line);
      else catchUp();
      isOwn = true;
      session.add(line);
      bead.add(line);
    };
    try {
      for (let tries = 0; ; tries++) {
        const end = await host.drive(runId, { handlers: ground.handlers, signal, onLine });
        if (!isOwn) catchUp();
        if (end.kind !== "busy") {
          await bead.done();
          if (end.kind === "stopped") await this.settle(runId);
          return end;
        }
        if (tries === 0) tell({ kind: "following" });
        await ground.sleep(lookEveryMs, signal);
        if (signal.aborted) return { kind: "interrupted" };
      }
    } finally {
      await session.close();
    }
  }

  /** The claim and the bead of a run that is driven here follow its lines, one after the other. */
  #beadFollower(state: RunSnapshot): { add: (line: JournalLine) => void; done: () => Promise<void> } {
    const { claims, beads } = this.#parts;
    let following = Promise.resolve();
    return {
      add(line) {
        if (line.type === "run.driven") {
          // That only tells which process drives: nothing depends on it.
          following = following.then(() => claims.drive(state.bead_id, state.id)).catch(() => undefined);
        }
        if (changesStatus(line)) following = following.then(async () => void (await beads.followIfPossible(state)));
      },
      done: () => following,
    };
  }

  /** Throws when this process may not drive the run. It may not signal it either: a refused command leaves no trace. */
  #refuseDriving(state: Pick<RunSnapshot, "id" | "stopped">): void {
    const { ground } = this.#parts;
    const caller = ground.caller();
    refuseFromWork(caller);
    refuseOwnRun(caller, state.id);
    // It waits for a person.
    if (state.stopped) this.#refuseFromStep(caller, state.id);
    ground.refuseUnfit();
  }

  #refuseFromStep(caller: Caller, runId: string): void {
    if (caller.steps.length > 0) refuseFromStep(caller, runId, readPinnedRun(this.#parts.store, runId) ?? {});
  }

  /**
   * Leaves a person's signal for the run; it is on disk when this returns, and the driver of the run takes it up. Everything
   * is checked first: what is refused leaves no trace.
   */
  async signal(runId: string, signal: Signal, { command, tree }: SignalRequest): Promise<{ isDriven: boolean }> {
    const { host, store, ground } = this.#parts;
    const state = store.state(runId);
    const visible = statusNow(store, state);
    const by = ground.caller();
    this.#refuseFromStep(by, runId);
    this.#refuseDriving(state);
    // Approved before, and cut off while it landed: a second approval means that it goes on.
    const isApproved = signal.kind === "approve" && visible === "interrupted" && offersOf(store, runId).isApprovalOpen;
    if (!isApproved) refuseSignal(state, visible, signal);
    if (tree !== undefined) refuseOtherTree(runId, offersOf(store, runId).offered, tree);
    if (isApproved) return { isDriven: false };
    if (signal.kind === "retry") {
      refuseReachedLimit(state, signal.limits);
      refuseSecrets(signal.inputs, "--input", ground.redact);
      const pinned = readPinnedRun(store, runId);
      refuseUnknownInputs(signal.inputs, pinned);
      if (signal.engine !== undefined && pinned) ground.refuseEngine(signal.engine, pinned.settings);
    }
    const to = addressedStep(state, signal);
    await host.signal(runId, signal, to, originOf(by, command, new Date(ground.nowMs()).toISOString()));
    return { isDriven: store.isDriven(runId) };
  }

  /** The same for the agent that works on a step; returns the signal's id in the journal. */
  async signalAgent(runId: string, signal: AgentSignal, { path, attempt }: StepAddress): Promise<string> {
    const { agentSignals, store, ground } = this.#parts;
    const state = store.state(runId);
    const by = ground.caller();
    this.#refuseFromStep(by, runId);
    this.#refuseDriving(state);
    refuseSignal(state, statusNow(store, state), signal);
    const command = signal.kind === "message" ? "clew run send" : "clew run stop-agent";
    const origin = originOf(by, command, new Date(ground.nowMs()).toISOString());
    return agentSignals.signalAgent(runId, signal, { path, attempt }, origin);
  }

  /** Takes back a signal to a run that no process will drive to where it was meant for. */
  withdrawSignal(runId: string, id: string): Promise<void> {
    return this.#parts.agentSignals.withdraw(runId, id);
  }

  /**
   * A run that ended lets its bead go, once the bead says so; the run that the bead then still belongs to, if it does. What
   * becomes of its worktree is not waited for.
   */
  async settle(runId: string): Promise<string | undefined> {
    const { store, claims, beads, worktrees } = this.#parts;
    const state = store.state(runId);
    const { bead_id, status } = state;
    if (!isOver(state) || claims.holder(bead_id) !== runId) return undefined;
    if (!(await beads.followIfPossible(state))) return runId;
    await claims.release(bead_id, runId);
    const pinned = readPinnedRun(store, runId);
    if (pinned?.worktree) this.#puttingAway.push(worktrees.ended(runId, pinned, status));
    return undefined;
  }

  /** Resolves when the worktrees of runs that ended are put away, with what a person should know of it. Never throws. */
  async worktreesPutAway(): Promise<string[]> {
    const remarks = await Promise.all(this.#puttingAway);
    this.#puttingAway = [];
    return remarks.filter((remark) => remark !== undefined);
  }
}

/** The step that a signal is for; null for a cancel, which is for the whole run. */
function addressedStep({ waiting, permissions = [] }: RunSnapshot, signal: Signal): StepAddress | null {
  if (signal.kind === "cancel") return null;
  const asking = permissions.find(({ id }) => signal.kind === "permission" && id === signal.request);
  const step = waiting ?? asking;
  return step ? { path: step.path, attempt: step.attempt } : null;
}

/** Whether a run stands otherwise after a line than before. */
function changesStatus(line: JournalLine): boolean {
  const isTaken = line.type === "run.signal" && line.taken;
  const isEnd = line.type === "workflow.completed" || line.type === "workflow.cancelled";
  return isTaken || isEnd || "actions" in line || line.type === "run.driven";
}
