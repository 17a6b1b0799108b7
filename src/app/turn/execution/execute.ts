import type { ExecutionNews, ExecutionPreview, ExecutionResult } from "../../../contract/api/turn-execution.ts";
import { ClewError } from "../../../contract/errors.ts";
import type { ExecutionReport, LoggedAction } from "../../../contract/turn-report.ts";
import type { FileChange } from "../../../contract/turn.ts";
import { redactValue } from "../../../redact/redact-value.ts";
import { unifiedDiff } from "../../../text/unified-diff.ts";
import { writeReport } from "../../../turn/report/write-report.ts";
import { planCommandAfter } from "../../../turn/turn-states.ts";
import { refuseDeedFromStep } from "./authority.ts";
import { Execution, interruption } from "./execution.ts";
import { lineAbout, planToExecute, turnToExecute, type PlanToExecute } from "./find-turn.ts";
import { checkMemos, decideMemos, type MemoOutcome } from "./memo-changes.ts";
import type { ExecutionParts } from "./parts.ts";
import type { Person } from "./person.ts";
import { previewOf } from "./preview.ts";
import { doneAction } from "./show-action.ts";
import { withTurns } from "./with-turns.ts";

export interface ExecuteRequest {
  session?: string | undefined;
  turn?: string | undefined;
  /** What was said about memo changes beforehand. */
  memos?: "accept" | "reject" | undefined;
}

/** Executes a plan, and writes its report. Throws a ClewError, with nothing done, when it cannot begin. */
export async function executePlan(
  parts: ExecutionParts,
  { session: name, turn: given, memos }: ExecuteRequest,
  person: Person,
  signal: AbortSignal,
): Promise<ExecutionResult> {
  refuseDeedFromStep(await parts.caller(), "executed");
  const session = await parts.find(name);
  return withTurns(parts, session, async () => {
    await parts.refuseEnded(session);
    const turn = turnToExecute(parts, session, given);
    const planned = planToExecute(parts, session, turn);
    const result = await new PlanExecution(parts, { session, turn, planned }, person, signal).run(memos);
    await projectReport(parts, session);
    return result;
  });
}

/** The report is written, and session.md only follows from it: where git put it away, that is told and no failure. */
async function projectReport({ project, warn }: ExecutionParts, session: string): Promise<void> {
  try {
    await project(session);
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
    warn(`session.md does not tell of it yet: ${error.message}`);
  }
}

interface Place {
  session: string;
  turn: string;
  planned: PlanToExecute;
}

/** One execution of one plan, from the first look to the report. */
class PlanExecution {
  readonly #parts: ExecutionParts;
  readonly #place: Place;
  readonly #person: Person;
  readonly #signal: AbortSignal;
  readonly #begunAt: number;
  readonly #begunMs: number;

  constructor(parts: ExecutionParts, place: Place, person: Person, signal: AbortSignal) {
    this.#parts = parts;
    this.#place = place;
    this.#person = person;
    this.#signal = signal;
    this.#begunAt = parts.time.now();
    this.#begunMs = parts.time.elapsedMs();
  }

  async run(memos: ExecuteRequest["memos"]): Promise<ExecutionResult> {
    const { session, turn, planned } = this.#place;
    const preview = previewOf(this.#parts, this.#place);
    this.#refuseUnapproved(preview);
    checkMemos(this.#parts, planned.plan.memos);
    this.#person.tell({ type: "started", ...preview });
    if (planned.isChanged) await this.#approveChangedPlan();
    const ranBefore = this.#commandsBegun();
    const journal = this.#parts.journals.begin(session, turn, "execute", this.#now());
    const { actions } = planned.plan;
    const of = { session, agent: planned.agent, actions, journal, ranBefore };
    const execution = new Execution(this.#parts, of, this.#person, this.#signal);
    const decided = await decideMemos(this.#parts, planned.plan.memos, { ...this.#person, answer: memos });
    if ("stopped" in decided) execution.stop(this.#signal.aborted ? interruption : "a person stopped here");
    await execution.run();
    const memoOutcome: MemoOutcome =
      "stopped" in decided ? { answer: "rejected", by: "user", changes: planned.plan.memos } : decided.outcome;
    if (this.#signal.aborted && !execution.hasDone && memoOutcome.answer !== "accepted") this.#leave();
    return this.#finish(execution, memoOutcome);
  }

  /** Before anything is done: what needs approval and cannot be asked about. */
  #refuseUnapproved(preview: ExecutionPreview): void {
    if (this.#person.ask) return;
    const { session, turn, planned } = this.#place;
    const command = `clew session execute ${turn} -s ${session}`;
    const { approve } = this.#person;
    const isAll = approve === "all";
    if (typeof approve === "object") refuseUnknownActions(approve, preview);
    if (planned.isChanged && !isAll) {
      const message = `plan.md of turn ${turn} was changed after it was written, and without a terminal nobody can be asked about it`;
      throw new ClewError("needs_approval", message, `${command} on a terminal, or with -y when you have read it`);
    }
    // What a person has not named is denied, and needs no question.
    if (typeof approve === "object") return;
    const open = preview.actions.filter(
      ({ approval, reason, steers_clew: steers }) =>
        approval === "needed" && (!isAll || reason !== undefined || steers === true),
    );
    if (open.length === 0) return;
    const named = open
      .slice(0, 20)
      .map(
        ({ action, type, subject, reason, steers_clew: steers }) =>
          `${action} ${type} ${subject}${steers ? " (steers Clew itself)" : ""}${reason === undefined ? "" : `: ${reason}`}`,
      );
    const more = open.length > 20 ? `, and ${open.length - 20} more` : "";
    throw new ClewError(
      "needs_approval",
      `without a terminal nobody can be asked, and these actions of turn ${turn} need approval: ${named.join("; ")}${more}`,
      isAll
        ? `each of them is to be seen by a person, by a rule of the policy or because it steers Clew itself: ${command} on a terminal, or by their numbers over REST`
        : `${command} on a terminal asks; -y approves all that does not steer Clew itself; a rule of your policy can allow some (docs/POLICY.md)`,
    );
  }

  async #approveChangedPlan(): Promise<void> {
    if (!this.#person.ask || this.#person.approve === "all") return;
    const { session, turn, planned } = this.#place;
    const original = planned.sha256 && (await this.#parts.originalPlan(session, turn, planned.sha256));
    const diff =
      original === undefined || original === ""
        ? undefined
        : unifiedDiff(original, planned.text, { before: "plan.md as written", after: "plan.md" });
    const answer = await this.#person.ask({ about: "plan_changed", ...(diff !== undefined && { diff }) });
    if (answer?.answer === "approve" || answer?.answer === "approve_rest") return;
    if (this.#signal.aborted) this.#leave();
    const hint = `git diff shows it where it was committed; clew session branch ${turn} -s ${session} -m "…" plans anew`;
    throw new ClewError("interrupted", `nothing was done: plan.md of turn ${turn} was changed`, hint);
  }

  /** The plan stays as it was, to be executed later: an interruption is no decision about it. */
  #leave(): never {
    const { session, turn } = this.#place;
    this.#parts.journals.over(session);
    throw new ClewError(
      "interrupted",
      `nothing was done; the plan of turn ${turn} waits: clew session execute ${turn}`,
      `its session is ${session}; to end a turn for good, answer s`,
    );
  }

  /** Of executions of this plan that were cut off. */
  #commandsBegun(): Set<string> {
    const { session, turn } = this.#place;
    const lines = this.#parts.journals.of(session, turn).lines();
    return new Set(lines.flatMap((line) => (line.type === "command" ? [line.command] : [])));
  }

  /** The report is written once, with the line that commits it; from then on nothing of the turn is taken back. */
  #finish(execution: Execution, memos: MemoOutcome): ExecutionResult {
    const { session, turn } = this.#place;
    const { store, journals, redact } = this.#parts;
    const status = execution.log.status();
    const files = execution.finalFiles.changes();
    const report = redactValue(this.#report(execution, memos), redact);
    const beside = [...execution.beside].map(([name, content]) => ({ name, content }));
    const line = {
      v: 1,
      type: "executed",
      turn,
      at: this.#now(),
      status,
      hashes: store.hashes(session, turn),
      files,
    } as const;
    store.commit(
      session,
      turn,
      [...beside, { name: "report.md", content: redact(writeReport(report)) }],
      redactValue(line, redact),
    );
    journals.over(session);
    this.#warnIfPutAway();
    const result: ExecutionResult = {
      session_id: session,
      turn,
      status,
      report: this.#parts.pathOf(session, turn, "report.md"),
      interrupted: this.#signal.aborted,
      memos: memos.answer,
      ...("by" in memos && memos.by !== undefined && { memos_by: memos.by }),
      actions: report.action_log.map((entry) => this.#result(entry)),
      not_written: [...new Set(report.action_log.filter(isUnwritten).map((entry) => this.#result(entry).subject))],
      files: files.map(({ path, before, after }) => ({ path, change: changeWord(before, after) })),
      next_command: planCommandAfter(store.lines(session), {
        session,
        turn,
        handsOver: execution.log.entries.some(handsOver),
      }),
    };
    this.#person.tell({ type: "ended", ...result } satisfies ExecutionNews);
    return result;
  }

  /** A command of the plan may have taken the session's folder away with what it put away itself. */
  #warnIfPutAway(): void {
    const { session, turn } = this.#place;
    if (lineAbout(this.#parts.store.lines(session), turn, "planned")) return;
    this.#parts.warn(
      `git put the session's folder away while turn ${turn} was executed: its report is written, its plan and earlier turns are in git stash list, or on the other branch`,
    );
  }

  #result(entry: LoggedAction): ExecutionResult["actions"][number] {
    const action = this.#place.planned.plan.actions[entry.action - 1]!;
    const { redact } = this.#parts;
    const hasFailed = entry.type === "EXECUTE" && entry.status === "FAILURE" && entry.output !== undefined;
    return {
      ...doneAction(entry, action, redact),
      ...(hasFailed && { output: lastLines(entry.output!) }),
      ...(action.type === "CHAT_WITH_USER" && { text: redact(action.text) }),
    };
  }

  #report({ log }: Execution, memos: MemoOutcome): ExecutionReport {
    const { turn, planned } = this.#place;
    return {
      format: 1,
      run_summary: {
        status: log.status(),
        turn,
        plan_title: planned.plan.title,
        agent: planned.agent,
        started_at: new Date(this.#begunAt).toISOString(),
        ended_at: this.#now(),
        duration_ms: Math.max(0, Math.round(this.#parts.time.elapsedMs() - this.#begunMs)),
        counts: log.counts(),
        ...(planned.isChanged && { plan_changed: true }),
        ...(this.#signal.aborted && { details: interruption }),
        memos,
      },
      action_log: [...log.entries],
    };
  }

  #now(): string {
    return new Date(this.#parts.time.now()).toISOString();
  }
}

/** Throws when an action is approved that the plan does not have. */
function refuseUnknownActions(approved: readonly number[], { turn, actions }: ExecutionPreview): void {
  const unknown = approved.filter((number) => !actions.some(({ action }) => action === number));
  if (unknown.length === 0) return;
  const message = `the plan of turn ${turn} has no action ${unknown.slice(0, 20).join(", ")}`;
  throw new ClewError("invalid_input", message, `its actions are 1 to ${actions.length}`);
}

/** As much of a failed command's output as mostly says why. */
function lastLines(output: string): string {
  return output.slice(-4000).trimEnd().split("\n").slice(-20).join("\n");
}

/** A change that was approved, and that a stop or a failure kept from being written. */
function isUnwritten({ type, status, approval }: LoggedAction): boolean {
  const isApproved = approval?.answer === "approve" || approval?.answer === "approve_rest";
  return (type === "CREATE" || type === "EDIT") && status === "SKIPPED" && isApproved;
}

function handsOver({ type, status }: LoggedAction): boolean {
  return type === "INVOKE" && status === "SUCCESS";
}

function changeWord(before: FileChange["before"], after: FileChange["after"]): "created" | "changed" | "removed" {
  if (after === null) return "removed";
  return before === null ? "created" : "changed";
}
