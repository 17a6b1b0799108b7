import type { Redacted } from "../../contract/redacted.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import { sessionId } from "../../session/session-id.ts";
import { begunBelow, refuseFromWork } from "./authority.ts";
import { openRunOf } from "./claimed-beads.ts";
import type { Caller, ClaimQuestions, RunWorktrees } from "./ports.ts";
import { isRunOver } from "./read.ts";
import type { RunRequest } from "../../contract/api/grimoire.ts";
import type { RunParts } from "./parts.ts";
import type { Survey } from "./pin-run.ts";

/** What is asked and made before a run can be. */
export interface StartGround {
  /** Asks git and the disk, which takes a while; throws nothing. */
  survey: (request: RunRequest) => Promise<Survey>;
  /** What a new run is pinned to. Throws when it cannot begin; writes nothing. */
  pin: (id: string, request: RunRequest, survey: Survey) => Promise<Redacted<PinnedRun>>;
  /** Throws when `prepare` would write over what a sparse checkout leaves out. */
  refuseLeftOut: () => void;
  prepare: () => void;
  /** A run of this bead has begun. */
  onBegun: (beadId: string) => void;
  toAscii: () => Promise<(text: string) => string>;
  nowMs: () => number;
  /** The process that asks for all this. */
  caller: () => Caller;
}

interface Parts extends RunParts {
  worktrees: Pick<RunWorktrees, "isTaken">;
  ground: StartGround;
}

/** Starts runs: one on a bead at most, also between processes. */
export class RunStarter {
  readonly #parts: Parts;
  #lastClaim: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Starts a run on a bead, or gives the one that works on it already. It is on disk when this returns. */
  async start(request: RunRequest): Promise<{ runId: string; isNew: boolean }> {
    const { host, store, claims, beads, sessions, ground } = this.#parts;
    const { bead: beadId } = request;
    refuseFromWork(ground.caller());
    // Asked before the claim, during which all other claims wait.
    const early = claims.holder(beadId) === undefined ? ground.survey(request) : undefined;
    let checked: { id: string; pinned: Redacted<PinnedRun> } | undefined;
    const questions: ClaimQuestions = {
      isOpen: (runId) => !isRunOver(store, runId),
      // An open bead has no run; looking for one among thousands takes a while.
      find: (isBegun) => (!isBegun && beads.isOpen(beadId) ? undefined : openRunOf(store, beadId)),
      settle: async (runId) => {
        if (store.exists(runId)) await beads.follow(store.state(runId));
      },
      check: async () => {
        ground.refuseLeftOut();
        const id = await this.#freeId(beadId);
        const pinned = await ground.pin(id, request, await (early ?? ground.survey(request)));
        checked = { id, pinned: { ...pinned, ...begunBelow(ground.caller()) } };
      },
      giveBack: async (mark) => (await beads.giveBack(beadId, mark)) !== "unclear",
      start: async (note) => {
        await beads.take(beadId, note);
        ground.prepare();
        return host.start(checked!.id, checked!.pinned);
      },
    };
    // Runs begin in the order in which they were asked for, however long each survey takes.
    const claiming = this.#lastClaim.then(() => early).then(() => claims.claim(beadId, questions));
    this.#lastClaim = claiming.catch(() => undefined);
    const claim = await claiming;
    if (claim.isNew) {
      ground.onBegun(beadId);
      await beads.follow({ id: claim.runId, bead_id: beadId });
      await sessions.begin(claim.runId);
    }
    return claim;
  }

  /** A run, its session and its branch have one name. */
  async #freeId(beadId: string): Promise<string> {
    const { sessions, store, worktrees, ground } = this.#parts;
    const baseId = sessionId(new Date(ground.nowMs()).toISOString(), (await ground.toAscii())(beadId));
    const isTaken = (id: string): boolean => sessions.isTaken(id) || store.exists(id) || worktrees.isTaken(id);
    let id = baseId;
    for (let number = 2; isTaken(id); number++) id = `${baseId}-${number}`;
    return id;
  }
}
