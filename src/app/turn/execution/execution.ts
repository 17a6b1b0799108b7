import type { FileAction, PlannedAction } from "../../../contract/plan.ts";
import type { Redacted } from "../../../contract/redacted.ts";
import type { Approval, LoggedAction } from "../../../contract/turn-report.ts";
import { ActionLog, type ActionEnd } from "./action-log.ts";
import { ActionApproval } from "./approve-action.ts";
import { ApprovedFiles } from "./approved-files.ts";
import { FinalFiles } from "./final-files.ts";
import type { ExecutionParts } from "./parts.ts";
import { ActionPerformer, type OtherAction } from "./perform-action.ts";
import type { Person } from "./person.ts";
import type { TurnJournal } from "./ports.ts";
import { doneAction, problemOf } from "./show-action.ts";

interface ExecutionOf {
  session: string;
  agent: string;
  actions: PlannedAction[];
  journal: TurnJournal;
  /** Commands that a killed execution of the same plan had begun. */
  ranBefore: ReadonlySet<string>;
}

/** Why nothing more is done after a signal, or when nobody answers any more. */
export const interruption = "stopped by Ctrl-C";

/** Does the actions of one plan, in order. Files change in batches, each just before the next action that is none. */
export class Execution {
  readonly log = new ActionLog();
  readonly finalFiles: FinalFiles;
  readonly #parts: ExecutionParts;
  readonly #of: ExecutionOf;
  readonly #person: Person;
  readonly #signal: AbortSignal;
  readonly #approval: ActionApproval;
  readonly #performer: ActionPerformer;
  readonly #batch: ApprovedFiles;
  /** Why nothing more is done; undefined while there is no reason. */
  #over: string | undefined;

  constructor(parts: ExecutionParts, of: ExecutionOf, person: Person, signal: AbortSignal) {
    this.#parts = parts;
    this.#of = of;
    this.#person = person;
    this.#signal = signal;
    const { session, journal } = of;
    this.finalFiles = new FinalFiles(parts.files, journal);
    this.#batch = new ApprovedFiles(parts, journal, this.finalFiles);
    this.#performer = new ActionPerformer(parts, { session, journal, finalFiles: this.finalFiles, person, signal });
    const tryAction = this.#batch.try.bind(this.#batch);
    this.#approval = new ActionApproval(parts, { ...of, tryAction }, person);
  }

  /** Whether anything was changed, begun or fetched: then there is something to report. */
  get hasDone(): boolean {
    return this.#batch.hasWritten || this.#performer.hasBegun;
  }

  /** What stands beside the report, by name. */
  get beside(): ReadonlyMap<string, Redacted<string>> {
    return this.#performer.beside;
  }

  /** Never throws because an action failed. */
  async run(): Promise<void> {
    for (const [index, action] of this.#of.actions.entries()) {
      const number = index + 1;
      this.#stopIfInterrupted();
      if (this.#over !== undefined) this.#add(number, action, { status: "SKIPPED", details: this.#over });
      else if (action.type === "CREATE" || action.type === "EDIT") await this.#changeFile(number, action);
      else {
        this.#writeBatch();
        await this.#do(number, action);
      }
    }
    this.#stopIfInterrupted();
    this.#writeBatch();
  }

  /** Nothing more is done, and what was approved and is not written stays unwritten. */
  stop(reason: string): void {
    this.log.abort();
    this.#end(reason);
  }

  #stopIfInterrupted(): void {
    if (this.#signal.aborted && this.#over === undefined) this.stop(interruption);
  }

  #end(reason: string): void {
    this.#over ??= `not done: ${reason}`;
    for (const entry of this.#batch.drop())
      this.#finish(entry, { status: "SKIPPED", details: `not applied: ${reason}` });
  }

  async #changeFile(number: number, planned: FileAction): Promise<void> {
    const verdict = await this.#approval.decide(number, planned);
    if (verdict === "stopped") return this.#stopped(number, planned);
    const { action, approval } = verdict as { action: FileAction; approval: Approval };
    if (approval.answer === "deny") return this.#denied(number, action, approval);
    const outcome = this.#batch.apply(action);
    if ("refusals" in outcome) return this.#failed(number, action, approval, problemOf(outcome));
    // What became of it is told when the batch is written.
    this.#batch.add(this.log.add(number, action, { status: "SUCCESS" }, { approval }), action.path);
  }

  async #do(number: number, planned: OtherAction): Promise<void> {
    if (this.#over !== undefined) return this.#add(number, planned, { status: "SKIPPED", details: this.#over });
    const verdict = await this.#approval.decide(number, planned);
    if (verdict === "stopped") return this.#stopped(number, planned);
    const { action, approval } = verdict as { action: OtherAction; approval: Approval };
    if (approval.answer === "deny") return this.#denied(number, action, approval);
    const begunMs = this.#parts.time.elapsedMs();
    const end = await this.#performer.perform(number, action);
    // A command may have changed any file.
    this.#batch.drop();
    // How long a person thinks about a reply is no work of the action's.
    const durationMs = action.type === "CHAT_WITH_USER" ? 0 : this.#parts.time.elapsedMs() - begunMs;
    this.#add(number, action, end, { approval, durationMs });
    if (this.#signal.aborted) return this.stop(interruption);
    if (end.status === "FAILURE" && !action.may_fail) this.#end(`action ${number} failed`);
  }

  #writeBatch(): void {
    const { ends, failure } = this.#batch.write();
    if (failure !== undefined) this.log.break();
    for (const { entry, end } of ends) this.#finish(entry, end);
    if (failure !== undefined) this.#end(failure);
  }

  #failed(number: number, action: PlannedAction, approval: Approval, details: string): void {
    this.#add(number, action, { status: "FAILURE", details }, { approval });
    if (!action.may_fail) this.#end(`action ${number} (${action.type}) cannot be done`);
  }

  #denied(number: number, action: PlannedAction, approval: Approval): void {
    const details = approval.reason !== undefined && { details: approval.reason };
    this.#add(number, action, { status: "DENIED", ...details }, { approval });
  }

  #stopped(number: number, action: PlannedAction): void {
    this.stop(this.#signal.aborted ? interruption : "a person stopped here");
    const approval = { by: "user", answer: "stop" } as const;
    this.#add(number, action, { status: "SKIPPED", details: this.#over! }, { approval });
  }

  #add(
    number: number,
    action: PlannedAction,
    end: ActionEnd,
    how: { approval?: Approval; durationMs?: number } = {},
  ): void {
    this.#tellDone(this.log.add(number, action, end, how));
  }

  #finish(entry: LoggedAction, end: Pick<ActionEnd, "status" | "details">): void {
    Object.assign(entry, end);
    this.#tellDone(entry);
  }

  #tellDone(entry: LoggedAction): void {
    // Of an execution that is left before anything was done there is nothing to tell.
    if (this.#signal.aborted && !this.hasDone) return;
    const done = doneAction(entry, this.#of.actions[entry.action - 1]!, this.#parts.redact);
    this.#person.tell({ type: "done", done, duration_ms: entry.duration_ms });
  }
}
