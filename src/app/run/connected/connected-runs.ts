import type { RunRequest } from "../../../contract/api/grimoire.ts";
import type { RunsApi } from "../../../contract/api/run.ts";
import { connectedEngine } from "../../../contract/connected.ts";
import type { AgentResult } from "../../../contract/engine.ts";
import { ClewError } from "../../../contract/errors.ts";
import type { Json } from "../../../contract/json.ts";
import type { RedactValue } from "../../../contract/redacted.ts";
import { missingOutputs } from "../../../contract/required-outputs.ts";
import type { RunStep } from "../../../contract/run-digest.ts";
import { addressText, type StepAddress } from "../../../contract/run.ts";
import type { Rehydration } from "../../../contract/rehydration.ts";
import { resultOf, resultProblem } from "../../../engine/result-contract.ts";
import type { MissingEvidenceOf, ToolCaller } from "../../rehydrate/ports.ts";
import type { Rehydrations } from "../../rehydrate/rehydrations.ts";
import type { RunStore } from "../ports.ts";
import { readPinnedRun } from "../read.ts";
import { isSameStep, openAssignment, type Assignment } from "./assignment.ts";
import { LiveRun, type Later } from "./live-run.ts";
import type { ContinueTokens, HandedInResults, TokenStep } from "./ports.ts";
import { RefusedAdvance } from "./refused-advance.ts";
import { assignedPart, blockersOf, standingOf, type Standing } from "./standing.ts";

export interface ConnectedRunsParts {
  runs: Pick<RunsApi, "start" | "drive" | "find" | "show">;
  store: Pick<RunStore, "lines" | "state" | "exists" | "pendingSignals">;
  tokens: ContinueTokens;
  results: HandedInResults;
  redact: RedactValue;
  /** The session of a run; undefined while there is none. */
  sessionOf: (runId: string) => string | undefined;
  /** What tells agents where they stand. */
  rehydrations: () => Promise<Pick<Rehydrations, "show" | "give" | "receive" | "called" | "causeOf">>;
  /** What the step at hand requires, and was not seen to be done. */
  missingEvidence: MissingEvidenceOf;
  later: Later;
  /** How long a call waits for the agent's next step, while Clew works on the steps between. */
  waitMs: number;
}

/** What comes back to an agent that lost its context, beside its step. */
type ComeBack = Pick<Rehydration, "notes" | "decisions" | "open_decisions" | "missing_evidence" | "left_out">;

/** What a token's step has come to: with how the run stands now. */
export interface Advance extends Standing {
  /** This token was used before: nothing was done, and this is what was recorded then. */
  replayed?: AgentResult;
}

/**
 * Runs whose agent steps are worked on by agents that are connected over MCP. This process drives them while it lives; what an agent
 * hands in is on disk before it counts, so that any other process can go on.
 */
export class ConnectedRuns {
  readonly #parts: ConnectedRunsParts;
  readonly #live = new Map<string, LiveRun>();
  /** Runs that this process was asked for: their agents know of them. */
  readonly #served = new Set<string>();
  #isClosed = false;

  constructor(parts: ConnectedRunsParts) {
    this.#parts = parts;
  }

  /** Starts a run on a bead, or goes on with the one that works on it, up to the first step that is the agent's. */
  async start(request: Omit<RunRequest, "engine">, caller?: ToolCaller): Promise<Standing> {
    const { run_id } = await this.#parts.runs.start({ ...request, engine: connectedEngine });
    await this.#noteCaller(run_id, caller);
    return this.#goOn(run_id);
  }

  /**
   * Goes on with a run that no process drives, or waits with it for the agent's next step. With that comes what `clew rehydrate`
   * tells of it: the agent may know nothing any more.
   */
  async resume(run: string, caller?: ToolCaller): Promise<Standing & Partial<ComeBack>> {
    const { run_id } = await this.#parts.runs.find({ run });
    const rehydrations = await this.#parts.rehydrations();
    const cause = rehydrations.causeOf(run_id, caller, this.#served.has(run_id));
    await this.#noteCaller(run_id, caller);
    const standing = await this.#goOn(run_id);
    const { token, session } = standing;
    if (token === undefined || session === null) return standing;
    const agent = { session, engine: caller?.engine ?? connectedEngine, engineSession: caller?.engine_session };
    const told = await (cause ? rehydrations.give({ ...agent, cause }) : rehydrations.show(session));
    const { notes, decisions, open_decisions, missing_evidence, left_out } = told;
    return { ...standing, notes, decisions, open_decisions, missing_evidence, left_out };
  }

  /** The step of a token that a call carries. It is the receipt for what its agent was told last: on disk when this resolves. */
  async shown(token: string, by: string): Promise<TokenStep> {
    const step = this.stepOf(token);
    await (await this.#parts.rehydrations()).receive(step.run, { by, step: addressText(step) });
    return step;
  }

  /** The step that a token was given for. Throws a RefusedAdvance when it is none of ours. */
  stepOf(token: string): TokenStep {
    const step = this.#parts.tokens.read(token);
    if (step && this.#parts.store.exists(step.run)) return step;
    const message = "this is no token that Clew gave for a run of this repository, or it is older than its key";
    const fix = "workflow_resume with the run's id gives the token of the step at hand; run_list names runs";
    throw new RefusedAdvance("no_permission", [{ kind: "forged_token", message, fix }]);
  }

  /**
   * Takes the result of a step, once, and goes on up to the agent's next step. A token that was used before changes nothing. Throws
   * a RefusedAdvance when the result is not as it has to be, or the step is not at hand any more.
   */
  async advance(token: string, value: Json, caller?: ToolCaller): Promise<Advance> {
    const step = await this.shown(token, "workflow_continue");
    const { run } = step;
    await this.#noteCaller(run, caller);
    const isLive = this.#isAsked(this.#live.get(run)?.assignment, step);
    const before = isLive ? undefined : await this.#before(step);
    if (before) return { ...(await this.#goOn(run)), replayed: before };
    const problem = resultProblem(value) ?? this.#missingOutputs(step, resultOf(value));
    if (problem !== undefined) {
      const fix = 'correct it and call workflow_continue again: {"success": true, "summary": "…", "outputs": {}}';
      const blocker = { kind: "invalid_result", message: `the result ${problem}`, fix };
      throw new RefusedAdvance("invalid_input", [blocker], token);
    }
    const result = this.#parts.redact(resultOf(value));
    if (result.success) await this.#refuseWithoutEvidence(run, token);
    const became = this.#parts.results.put(run, step, result);
    const known = became === "known" ? this.#parts.results.get(run, step) : undefined;
    const standing = await this.#goOn(run, step);
    const replayed = known ?? (became === "left" ? await this.#otherResult(step, result) : undefined);
    return { ...standing, ...(replayed && { replayed }) };
  }

  #missingOutputs({ run }: TokenStep, { success, outputs }: AgentResult): string | undefined {
    const asked = this.#live.get(run)?.assignment ?? openAssignment(this.#parts.store, run);
    return success ? missingOutputs(outputs, asked?.outputs ?? []) : undefined;
  }

  /** What the step requires and was not seen: the agent can do it, and hand in its result again. */
  async #refuseWithoutEvidence(run: string, token: string): Promise<void> {
    const [first, ...others] = await this.#parts.missingEvidence(run);
    if (first) throw new RefusedAdvance("not_possible_now", [first, ...others], token);
  }

  /** Stops driving: other processes may go on with what this one began. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const open = [...this.#live.values()];
    for (const live of open) live.stop();
    await Promise.all(open.map(({ done }) => done));
  }

  async #noteCaller(run: string, caller: ToolCaller | undefined): Promise<void> {
    this.#served.add(run);
    if (caller) (await this.#parts.rehydrations()).called(run, caller);
  }

  #isAsked(assignment: Assignment | undefined, step: StepAddress): boolean {
    return assignment !== undefined && isSameStep(assignment, step);
  }

  /** What became of a step that is not at hand in this process; undefined when it still waits for its result. */
  async #before(step: TokenStep): Promise<AgentResult | undefined> {
    const { runs, store, sessionOf } = this.#parts;
    const details = (await runs.show({ run: step.run })).run;
    const known = details.steps.find((each) => isSameStep(each, step));
    const recorded = known && recordedResult(known);
    if (recorded) return recorded;
    const assignment = openAssignment(store, step.run);
    const isOpen = details.status === "running" || details.status === "interrupted";
    if (isOpen && this.#isAsked(assignment, step) && sessionOf(step.run) === step.session) return undefined;
    const fix = isOpen
      ? `workflow_resume with run ${step.run} tells what is asked for now`
      : `run_show with run ${step.run} tells how it stands`;
    const message = `the step ${addressText(step)} of run ${step.run} is not at hand any more`;
    const retry = isOpen && assignment ? this.#tokenFor(step.run, assignment) : undefined;
    const blockers = [{ kind: "stale_token", message, fix }, ...blockersOf(details)] as const;
    throw new RefusedAdvance("not_possible_now", blockers, retry);
  }

  /** What was recorded for a step, if that is another result than this one. */
  async #otherResult(step: TokenStep, result: AgentResult): Promise<AgentResult | undefined> {
    const { steps } = (await this.#parts.runs.show({ run: step.run })).run;
    const known = steps.find((each) => isSameStep(each, step));
    const recorded = known && recordedResult(known);
    return recorded && JSON.stringify(recorded) !== JSON.stringify(result) ? recorded : undefined;
  }

  /** `handedIn` is what was handed in just now, and is not asked for again. */
  async #goOn(runId: string, handedIn?: StepAddress): Promise<Standing> {
    const { runs, results, later, waitMs } = this.#parts;
    const live = this.#live.get(runId) ?? this.#drive(runId);
    await live?.turn(handedIn, waitMs, later);
    const asked = live?.assignment;
    if (handedIn && this.#isAsked(asked, handedIn)) results.keep(runId, handedIn);
    else if (live && asked && !live.isOver) {
      results.clear(runId, asked);
      return { ...live.facts, ...assignedPart(live.facts.folder, asked, this.#tokenFor(runId, asked)) };
    } else if (!live || live.isOver) results.clear(runId, asked);
    return standingOf((await runs.show({ run: runId })).run);
  }

  /** Undefined when there is nothing to drive: the run is over, or waits for a person. */
  #drive(runId: string): LiveRun | undefined {
    const { runs, store, sessionOf } = this.#parts;
    refuseOtherEngine(store, runId);
    const { status, bead_id, grimoire, worktree } = store.state(runId);
    if (this.#isClosed || (status !== "running" && store.pendingSignals(runId).length === 0)) return undefined;
    const live = new LiveRun(
      (signal) => runs.drive({ run: runId, from: "now" }, { signal }),
      () => openAssignment(store, runId),
      {
        run: runId,
        session: sessionOf(runId) ?? null,
        bead: bead_id,
        workflow: grimoire,
        status: "running",
        folder: worktree,
      },
    );
    this.#live.set(runId, live);
    void live.done.then(() => this.#live.delete(runId));
    return live;
  }

  #tokenFor(run: string, { path, attempt }: StepAddress): string {
    const { tokens, sessionOf } = this.#parts;
    return tokens.issue({ session: sessionOf(run) ?? run, run, path, attempt });
  }
}

/** Agents of other engines work on the steps of other runs. */
function refuseOtherEngine(store: Pick<RunStore, "lines">, runId: string): void {
  const { engine } = readPinnedRun(store, runId)?.settings ?? {};
  if (engine === connectedEngine) return;
  const message = `the steps of run ${runId} are worked on by ${engine ?? "another engine"}, not by a connected agent`;
  throw new ClewError(
    "not_possible_now",
    message,
    `run_show tells how it stands; a person goes on: clew run resume ${runId}`,
  );
}

/** Undefined while there is none, and when the attempt ended without one, by its time or with the run. */
function recordedResult({ status, output }: RunStep): AgentResult | undefined {
  const isRecorded = status === "succeeded" || status === "failed";
  const value = output ?? null;
  return isRecorded && resultProblem(value) === undefined ? resultOf(value) : undefined;
}
