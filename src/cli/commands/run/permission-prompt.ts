import { ClewError } from "../../../contract/errors.ts";
import type { PermissionRequest } from "../../../contract/permission.ts";
import { wordsFor } from "../../../contract/permission-values.ts";
import type { JournalLine } from "../../../contract/run-journal.ts";
import type { StepAddress } from "../../../contract/run.ts";
import type { CliContext } from "../../context.ts";
import { typedWord, wordTexts } from "../../typed-permission.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { viewRequest } from "../../terminal/permission-view.ts";
import type { Reporter } from "../../terminal/run-reporter.ts";

type Asked = PermissionRequest & StepAddress;

/** Asks the person at the terminal for what agents ask, one request after the other. Any other answer that comes first wins. */
export class PermissionPrompt {
  readonly #context: CliContext;
  readonly #reporter: Reporter;
  readonly #folder: string | null;
  /** Resolves when all that was reported is on the screen. */
  readonly #flush: () => Promise<void>;
  #waiting: Asked[] = [];
  #current: { id: string; stop: AbortController } | undefined;
  #isClosed = false;

  constructor(context: CliContext, reporter: Reporter, place: { folder: string | null; flush: () => Promise<void> }) {
    this.#context = context;
    this.#reporter = reporter;
    this.#folder = place.folder;
    this.#flush = place.flush;
  }

  line(line: JournalLine): void {
    if (line.type === "agent.permission") this.ask(line);
    if (line.type === "agent.permission_over") this.#drop(line.id);
    if (line.type === "run.signal" && line.signal.kind === "permission") this.#drop(line.signal.request);
    if (line.type === "workflow.step.completed" || line.type === "run.driven") this.#dropAll();
  }

  ask(request: Asked): void {
    this.#waiting.push(request);
    if (!this.#current) void this.#next();
  }

  close(): void {
    this.#isClosed = true;
    this.#dropAll();
  }

  #drop(id: string): void {
    this.#waiting = this.#waiting.filter((each) => each.id !== id);
    if (this.#current?.id === id) this.#current.stop.abort();
  }

  #dropAll(): void {
    this.#waiting = [];
    this.#current?.stop.abort();
  }

  async #next(): Promise<void> {
    for (let request = this.#waiting.shift(); request && !this.#isClosed; request = this.#waiting.shift()) {
      const stop = new AbortController();
      this.#current = { id: request.id, stop };
      this.#reporter.hold();
      this.#reporter.print(this.#text(request));
      await this.#flush();
      await this.#answer(request, stop.signal);
      this.#reporter.release();
      this.#current = undefined;
    }
  }

  #text(request: Asked): string {
    const { colors } = this.#context.terminal;
    const folder = this.#folder === null ? [] : [`  ${colors.dim("in")} ${cleanLine(this.#folder)}`];
    return [...viewRequest(this.#context.terminal, request), ...folder].join("\n");
  }

  /** Asks until there is an answer that counts, or none is needed any more. */
  async #answer(request: Asked, signal: AbortSignal): Promise<void> {
    const words = wordsFor(request);
    const question = `  ${words.map((word) => wordTexts[word]).join(", ")}? `;
    while (!signal.aborted) {
      const typed = await this.#context.input.ask(question, signal);
      if (signal.aborted) return this.#reporter.print("");
      // The terminal was closed; the request stands in the inbox.
      if (typed === undefined) {
        const others = words.slice(1).join(", or ");
        return this.#reporter.print(
          `clew inbox answer ${request.id} ${words[0]}${others === "" ? "" : `   (or ${others})`}`,
        );
      }
      const word = typedWord(typed, words);
      if (word === undefined) continue;
      try {
        await this.#context.api.inbox.answer({ id: request.id, text: word });
      } catch (error) {
        const hint = error instanceof ClewError ? `: ${error.hint}` : "";
        this.#reporter.print(cleanLine(`error: ${error instanceof Error ? error.message : String(error)}${hint}`));
      }
      return;
    }
  }
}
