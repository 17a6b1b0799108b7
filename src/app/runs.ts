import { ClewError } from "../contract/errors.ts";
import type { JournalLine, RunSnapshot } from "../contract/run-journal.ts";
import { addressText, type MergeOffer, type PinnedRun, type ShownStatus, type Signal } from "../contract/run.ts";
import type { Handlers } from "../run/handlers.ts";
import type { DriveEnd, RunHost } from "../run/run-host.ts";
import { sessionId } from "../session/session-id.ts";
import { isApprovalOpen } from "./approved-merge.ts";
import type { Redact } from "./ports.ts";
import { refuseUnknownInputs } from "./retry-inputs.ts";
import { originOf, refuseFromStep, refuseOwnRun, begunBelow } from "./run-authority.ts";
import type { RunBeads } from "./run-beads.ts";
import type { Caller, ClaimQuestions, Claims, RunDiffs, RunWorktrees } from "./run-ports.ts";
import { refuseSignal } from "./run-signals.ts";
import { isOver, RunReading, type ReadingParts } from "./run-reading.ts";
import { refuseSecrets, type RunRequest } from "./run-refusals.ts";
import type { Survey } from "./run-start.ts";

export interface GoOnOptions {
  /** From where in the journal lines are told: its beginning, or only what is new. */
  from: "beginning" | "now";
  onLine?: (line: JournalLine) => void;
  /** Told once, when another process drives the run and this one only looks on. */
  onFollow?: () => void;
  /** Stops driving or following. */
  signal?: AbortSignal;
}

export interface UnfinishedRun {
  id: string;
  status: ShownStatus;
}

export interface RunDiff {
  /** What waits, or all that has landed; none while nothing is offered. */
  offers: MergeOffer[];
  diff: Uint8Array;
  /** Files in the worktree that are in no commit and in no diff. */
  untracked: string[];
}

interface Parts extends ReadingParts {
  host: RunHost;
  claims: Claims;
  beads: RunBeads;
  worktrees: RunWorktrees;
  diffs: RunDiffs;
  handlers: Handlers;
  /** Asks git and the disk, which takes a while; throws nothing. */
  survey: (request: RunRequest) => Promise<Survey>;
  /** What a new run is pinned to. Throws when it cannot begin; writes nothing. */
  pin: (id: string, request: RunRequest, survey: Survey) => Promise<PinnedRun>;
  /** A run of this bead has begun. */
  onBegun: (beadId: string) => void;
  toAscii: () => Promise<(text: string) => string>;
  /** Throws when `prepare` would write over what a sparse checkout leaves out. */
  refuseLeftOut: () => void;
  prepare: () => void;
  /** The process that asks for all this. */
  caller: () => Caller;
  /** Throws when this process cannot drive runs: there is nowhere to put their files. */
  refuseUnfit: () => void;
  redact: Redact;
}

/** What goes with a signal. */
export interface SignalRequest {
  /** What was called, for the record: `clew run approve`. */
  command: string;
  /** Only if this tree is still what would be merged. */
  tree?: string | undefined;
}

const lookEveryMs = 100;

/** Runs, for every front end: started, gone on with, told something, looked at. */
export class Runs extends RunReading {
  readonly #parts: Parts;
  #tidying: Promise<string | undefined>[] = [];
  #lastClaim: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    super(parts);
    this.#parts = parts;
  }

  /** Starts a run on a bead, or gives the one that works on it already. It is on disk when this returns. */
  async start(request: RunRequest): Promise<{ runId: string; isNew: boolean }> {
    const { host, store, claims, beads, survey, pin, prepare, refuseLeftOut, sessions, caller, onBegun } = this.#parts;
    const { beadId } = request;
    // Asked before the claim, during which all others wait.
    const early = claims.holder(beadId) === undefined ? survey(request) : undefined;
    let checked: { id: string; pinned: PinnedRun } | undefined;
    const questions: ClaimQuestions = {
      isOpen: (runId) => store.exists(runId) && !isOver(store.state(runId)),
      // A bead that nobody began to work on has no run; looking for one among thousands takes a while.
      find: (isBegun) => (!isBegun && beads.isOpen(beadId) ? undefined : this.#openRunOf(beadId)),
      settle: async (runId) => {
        if (store.exists(runId)) await beads.follow(store.state(runId));
      },
      check: async () => {
        refuseLeftOut();
        const id = await this.#freeId(beadId);
        const pinned = await pin(id, request, await (early ?? survey(request)));
        checked = { id, pinned: { ...pinned, ...begunBelow(caller()) } };
      },
      giveBack: async (mark) => (await beads.giveBack(beadId, mark)) !== "unclear",
      start: async (note) => {
        await beads.take(beadId, note);
        prepare();
        return host.start(checked!.id, checked!.pinned);
      },
    };
    // However long each has to ask: the first that was wanted is the first that begins.
    const claiming = this.#lastClaim.then(() => early).then(() => claims.claim(beadId, questions));
    this.#lastClaim = claiming.catch(() => undefined);
    const claimed = await claiming;
    if (claimed.isNew) {
      onBegun(beadId);
      await beads.follow({ id: claimed.runId, bead_id: beadId });
      await sessions.begin(claimed.runId);
    }
    return claimed;
  }

  /** A run, its session and its branch have one name. */
  async #freeId(beadId: string): Promise<string> {
    const { nowMs, toAscii, sessions, store, worktrees } = this.#parts;
    const wanted = sessionId(new Date(nowMs()).toISOString(), (await toAscii())(beadId));
    const isTaken = (id: string): boolean => sessions.isTaken(id) || store.exists(id) || worktrees.isTaken(id);
    let id = wanted;
    for (let number = 2; isTaken(id); number++) id = `${wanted}-${number}`;
    return id;
  }

  /**
   * Drives a run until it ends, waits or is interrupted; while another process drives it, follows that one, and takes
   * over if it dies.
   */
  async goOn(
    runId: string,
    { from, onLine, onFollow, signal }: GoOnOptions,
  ): Promise<Exclude<DriveEnd, { kind: "busy" }>> {
    const { host, store, handlers, sessions, beads, claims, sleep } = this.#parts;
    const state = store.state(runId);
    this.#refuseDriving(state);
    const { bead_id } = state;
    let following = Promise.resolve();
    const follow = (line: JournalLine): void => {
      if (line.type === "run.driven") {
        // That only tells who drives: nothing depends on it.
        following = following.then(() => claims.drive(bead_id, runId)).catch(() => undefined);
      }
      if (changesStatus(line)) following = following.then(async () => void (await beads.followIfPossible(state)));
    };
    let told = from === "beginning" ? 0 : store.size(runId);
    let isOwn = false;
    const catchUp = (): void => {
      for (const { line, end } of store.lines(runId, told)) {
        told = end;
        onLine?.(line);
      }
    };
    const session = sessions.of(runId);
    try {
      for (let tries = 0; ; tries++) {
        const end = await host.drive(runId, {
          handlers,
          ...(signal && { signal }),
          onLine: (line) => {
            // What others wrote before comes first; from then on, all lines are ours.
            if (isOwn) onLine?.(line);
            else catchUp();
            isOwn = true;
            session.add(line);
            follow(line);
          },
        });
        if (!isOwn) catchUp();
        if (end.kind !== "busy") {
          await following;
          if (end.kind === "rests") await this.settle(runId);
          return end;
        }
        if (tries === 0) onFollow?.();
        if (signal?.aborted) return { kind: "interrupted" };
        await sleep(lookEveryMs);
      }
    } finally {
      await session.close();
    }
  }

  /** Whoever cannot drive the run must not say anything to it either: a refused command leaves no trace. */
  #refuseDriving(state: Pick<RunSnapshot, "id" | "stopped">): void {
    const caller = this.#parts.caller();
    refuseOwnRun(caller, state.id);
    // It waits for a person.
    if (state.stopped) this.#refuseFromStep(caller, state.id);
    this.#parts.refuseUnfit();
  }

  #refuseFromStep(caller: Caller, runId: string): void {
    if (caller.steps.length > 0) refuseFromStep(caller, runId, this.pinned(runId) ?? {});
  }

  /**
   * Leaves a person's signal for the run; it is on disk when this returns, and whoever drives the run takes it up. Everything
   * is checked first: what is refused leaves no trace.
   */
  async signal(runId: string, signal: Signal, { command, tree }: SignalRequest): Promise<{ isDriven: boolean }> {
    const { host, store, caller, nowMs } = this.#parts;
    const state = store.state(runId);
    const { waiting } = state;
    const shown = this.shown(runId, state.status);
    const by = caller();
    this.#refuseFromStep(by, runId);
    this.#refuseDriving(state);
    // Approved before, and cut off while it landed: whoever approves again wants just that to go on.
    const isApproved = signal.kind === "approve" && shown === "interrupted" && isApprovalOpen(store.lines(runId));
    if (!isApproved) refuseSignal(state, shown, signal);
    if (tree !== undefined) refuseOtherTree(runId, this.#offers(runId).offered, tree);
    if (isApproved) return { isDriven: false };
    if (signal.kind === "retry") {
      refuseSecrets(signal.inputs, "--input", this.#parts.redact);
      refuseUnknownInputs(signal.inputs, this.pinned(runId));
    }
    const to = signal.kind === "cancel" || !waiting ? null : { path: waiting.path, attempt: waiting.attempt };
    await host.signal(runId, signal, to, originOf(by, command, new Date(nowMs()).toISOString()));
    return { isDriven: store.isDriven(runId) };
  }

  /** What a run would merge, or has merged; before it offers that, what is in its worktree. */
  async diff(runId: string, paths: string[]): Promise<RunDiff> {
    const { store, diffs } = this.#parts;
    const { status } = store.state(runId);
    const { offered, landed } = this.#offers(runId);
    if (status === "pending_merge" && offered) {
      return { offers: [offered], diff: await diffs.offered(offered, paths), untracked: [] };
    }
    if (status === "completed" && landed.length > 0) {
      const pieces: Uint8Array[] = [];
      for (const offer of landed) pieces.push(await diffs.offered(offer, paths));
      return { offers: landed, diff: joined(pieces), untracked: [] };
    }
    const pinned = this.pinned(runId);
    if (!pinned?.worktree) {
      throw new ClewError("not_possible_now", `run ${runId} has no worktree of its own`, "git diff shows what it did");
    }
    return { offers: [], ...(await diffs.underWay(runId, pinned, paths)) };
  }

  /** What waits for approval, and what has landed. */
  #offers(runId: string): { offered: MergeOffer | undefined; landed: MergeOffer[] } {
    let offered: MergeOffer | undefined;
    const begun = new Map<string, MergeOffer>();
    const landed: MergeOffer[] = [];
    for (const { line } of this.#parts.store.lines(runId)) {
      if (line.type === "workflow.merge_pending") offered = line.merge;
      if (line.type === "workflow.step.started" && line.input?.kind === "merge" && line.input.offer) {
        begun.set(addressText(line), line.input.offer);
      }
      const offer =
        line.type === "workflow.step.completed" && line.status === "succeeded" && begun.get(addressText(line));
      if (offer) landed.push(offer);
    }
    return { offered, landed };
  }

  /** The run of a bead that is not over, also when its claim was lost. */
  unfinishedRunOf(beadId: string): UnfinishedRun | undefined {
    const { claims, store } = this.#parts;
    const held = claims.holder(beadId);
    const id = held !== undefined && this.#isOpenFor(held, beadId) ? held : this.#openRunOf(beadId);
    return id === undefined ? undefined : { id, status: this.shown(id, store.state(id).status) };
  }

  #openRunOf(beadId: string): string | undefined {
    return this.#parts.store.recentIds().find((id) => this.#isOpenFor(id, beadId));
  }

  #isOpenFor(id: string, beadId: string): boolean {
    try {
      const state = this.#parts.store.state(id);
      return state.bead_id === beadId && !isOver(state);
    } catch {
      return false;
    }
  }

  /**
   * A run that ended lets its bead go, once the bead says so; the run that the bead then still belongs to, if it does. What
   * becomes of its worktree holds nobody up.
   */
  async settle(runId: string): Promise<string | undefined> {
    const { store, claims, beads, worktrees } = this.#parts;
    const state = store.state(runId);
    const { bead_id, status } = state;
    if (!isOver(state) || claims.holder(bead_id) !== runId) return undefined;
    if (!(await beads.followIfPossible(state))) return runId;
    await claims.release(bead_id, runId);
    const pinned = this.pinned(runId);
    if (pinned?.worktree) this.#tidying.push(worktrees.ended(runId, pinned, status));
    return undefined;
  }

  /** A claim that a crash left without its run gets that run, or goes; its bead is given back where it was taken. */
  async reclaim(beadId: string): Promise<string | undefined> {
    const { claims, beads } = this.#parts;
    return claims.mend(beadId, {
      find: () => this.#openRunOf(beadId),
      giveBack: async (mark) => {
        if ((await beads.giveBack(beadId, mark)) !== "unclear") return true;
        throw new ClewError(
          "not_possible_now",
          `nobody can tell whether ${beadId} is in progress by that run, which never began, or by a person`,
          `clew bead reopen ${beadId} gives it back; clew run ${beadId} begins a run`,
        );
      },
    });
  }

  /** Whoever takes up beads by itself begins with those that a crash left claimed. What cannot be mended now waits. */
  async reclaimLeft(): Promise<void> {
    const left = this.#parts.claims.all().filter(({ run, isDriven }) => run === null && !isDriven);
    for (const { bead } of left) await this.reclaim(bead).catch(() => undefined);
  }

  /** Resolves when the worktrees of runs that ended are put away, with what a person should know of it. Never throws. */
  async tidied(): Promise<string[]> {
    const remarks = await Promise.all(this.#tidying);
    this.#tidying = [];
    return remarks.filter((remark) => remark !== undefined);
  }
}

/** Whether a run stands otherwise after a line than before. */
function changesStatus(line: JournalLine): boolean {
  const isTaken = line.type === "run.signal" && line.taken;
  const isEnd = line.type === "workflow.completed" || line.type === "workflow.cancelled";
  return isTaken || isEnd || "actions" in line || line.type === "run.driven";
}

/** For a person who looked at a diff a while ago: it may be another by now. */
function refuseOtherTree(runId: string, offer: MergeOffer | undefined, tree: string): void {
  if (offer && tree.length >= 7 && offer.tree.startsWith(tree)) return;
  throw new ClewError(
    "not_possible_now",
    offer ? `run ${runId} now offers the tree ${offer.tree}, not ${tree}` : `run ${runId} offers no merge`,
    `clew run diff ${runId} shows what would be merged`,
  );
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
