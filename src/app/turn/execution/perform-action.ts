import type { FileAction, PlannedAction } from "../../../contract/plan.ts";
import type { Redacted } from "../../../contract/redacted.ts";
import type { ActionEnd } from "./action-log.ts";
import type { FinalFiles } from "./final-files.ts";
import { longOutput } from "./long-output.ts";
import type { ExecutionParts } from "./parts.ts";
import type { Person } from "./person.ts";
import type { TurnJournal } from "./ports.ts";
import { readPaths, research } from "./research.ts";

/** An action that changes no file by itself. */
export type OtherAction = Exclude<PlannedAction, FileAction>;

interface PerformedIn {
  session: string;
  journal: TurnJournal;
  finalFiles: FinalFiles;
  person: Person;
  signal: AbortSignal;
}

/** Does what is approved: commands, reading, research, questions. */
export class ActionPerformer {
  /** What stands beside the report, by name. */
  readonly beside = new Map<string, Redacted<string>>();
  readonly #parts: ExecutionParts;
  readonly #in: PerformedIn;
  #hasBegun = false;

  constructor(parts: ExecutionParts, performedIn: PerformedIn) {
    this.#parts = parts;
    this.#in = performedIn;
  }

  /** Whether a command was begun, or something fetched. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  async perform(number: number, action: OtherAction): Promise<ActionEnd> {
    switch (action.type) {
      case "EXECUTE":
        return this.#command(number, action);
      case "READ":
        return readPaths(this.#parts, action.sources);
      case "RESEARCH": {
        const { text, ...end } = await research(this.#parts, action, this.#in.signal);
        if (text === undefined) return end;
        this.#hasBegun = true;
        const name = `research-${number}.md`;
        this.beside.set(name, this.#parts.redact(text));
        return { ...end, output_file: name };
      }
      case "CHAT_WITH_USER": {
        const { ask } = this.#in.person;
        if (!ask) return { status: "SUCCESS", details: "nobody could be asked" };
        const answer = await ask({ about: "reply", text: action.text });
        return { status: "SUCCESS", ...(answer?.answer === "reply" && answer.text !== "" && { reply: answer.text }) };
      }
      case "INVOKE":
        return {
          status: "SUCCESS",
          details: `the next plan is made by ${action.agent}, unless another agent is named`,
        };
    }
  }

  async #command(number: number, action: Extract<OtherAction, { type: "EXECUTE" }>): Promise<ActionEnd> {
    const { commands, files, redact, settings, time } = this.#parts;
    const { journal, session, finalFiles, person, signal } = this.#in;
    const { command, cwd = "", timeout_ms: timeoutMs = settings.executeTimeoutMs } = action;
    const problem = files.folderProblem(cwd);
    if (problem !== undefined) return { status: "FAILURE", details: `${cwd} ${problem}` };
    const at = (): string => new Date(time.now()).toISOString();
    finalFiles.beforeCommand();
    const end = await commands.run(
      { command, cwd, timeoutMs, session },
      {
        signal,
        onStarted: (process) => {
          this.#hasBegun = true;
          journal.commandStarted(number, redact(command), process, at());
          person.tell({ type: "running", action: number });
        },
        onOutput: (text) => person.tell({ type: "output", action: number, text }),
      },
    );
    const { exit_code } = end;
    journal.commandEnded(number, exit_code, at());
    finalFiles.afterCommand();
    const { output, file } = longOutput(end.output);
    const name = `output-${number}.txt`;
    if (file !== undefined) this.beside.set(name, file);
    return {
      status: end.error === undefined ? "SUCCESS" : "FAILURE",
      ...(end.error !== undefined && { details: `the command ${end.error}` }),
      ...(output !== "" && { output }),
      ...(file !== undefined && { output_file: name }),
      ...(exit_code !== null && { exit_code }),
    };
  }
}
