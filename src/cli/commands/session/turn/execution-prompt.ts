import type { ExecutionAnswer, ExecutionQuestion } from "../../../../contract/api/turn-execution.ts";
import type { CliContext } from "../../../context.ts";
import { clean, cleanLine } from "../../../terminal/clean.ts";
import { keepAside } from "../../../keep-text.ts";
import { editorCommand, editText } from "../../../terminal/edit-text.ts";
import { viewAction, viewMemoChanges } from "../../../terminal/execution-view.ts";
import { paintDiff } from "../../../terminal/merge-view.ts";
import { block } from "../../../terminal/run-block.ts";

type ActionQuestion = Extract<ExecutionQuestion, { about: "action" }>;
type Word = ExecutionAnswer["answer"] | "view" | "help";

/** `y` and `n` are what everybody types first. */
const words: Record<string, Word> = {
  a: "approve",
  y: "approve",
  yes: "approve",
  approve: "approve",
  d: "deny",
  n: "deny",
  no: "deny",
  deny: "deny",
  e: "edit",
  edit: "edit",
  r: "approve_rest",
  rest: "approve_rest",
  v: "view",
  view: "view",
  s: "stop",
  q: "stop",
  stop: "stop",
  "?": "help",
  h: "help",
  help: "help",
};

const end = `  s  stop: ends this turn with a report; what was approved and is not written stays unwritten
  Ctrl-C leaves: while nothing was done, the plan stays as it is and can be executed later
`;

const yesOrNoHelp = `  y  yes
  n  no
${end}`;

const actionHelp = `  a  approve this action (y does the same); changes of files are written with the next command, or at the end
  d  deny it; d REASON says why
  e  edit it in your editor; it is shown again before it is done
  r  approve this action and all that follow, but what steers Clew itself
  v  view all of it in your pager
${end}`;

const impossibleHelp = `  f  fail here: this action counts as failed, and what follows is skipped unless it may fail
  d  deny it; d REASON says why
  e  edit it in your editor, so that it can be done
  v  view all of it in your pager
${end}`;

/** Asks the person at the terminal what an execution asks. */
export class ExecutionPrompt {
  readonly #context: CliContext;
  readonly #signal: AbortSignal;

  constructor(context: CliContext, signal: AbortSignal) {
    this.#context = context;
    this.#signal = signal;
  }

  /** Undefined when no answer comes: after Ctrl-C, Ctrl-D, or when the terminal was closed. */
  async answer(question: ExecutionQuestion): Promise<ExecutionAnswer | undefined> {
    switch (question.about) {
      case "plan_changed":
        return this.#planChanged(question.diff);
      case "memos":
        return this.#memos(question.changes);
      case "action":
        return this.#action(question);
      case "reply": {
        const text = await this.#ask("  your reply (Enter for none): ");
        return text === undefined ? undefined : { answer: "reply", text };
      }
    }
  }

  async #planChanged(diff: string | undefined): Promise<ExecutionAnswer | undefined> {
    const { colors } = this.#context.terminal;
    const shown = diff === undefined ? "  what it was cannot be had any more" : paintDiff(colors, clean(diff));
    await this.#context.output.write(`${shown}\n`);
    return this.#yesOrNo("  execute it as it is now? [y]es, [n]o: ");
  }

  async #memos(
    changes: Extract<ExecutionQuestion, { about: "memos" }>["changes"],
  ): Promise<ExecutionAnswer | undefined> {
    const { terminal, output } = this.#context;
    await output.write(`${terminal.colors.bold("Memo changes")}\n${viewMemoChanges(terminal, changes).join("\n")}\n`);
    return this.#yesOrNo("  approve these memo changes? [y]es, [n]o, [s]top ends this turn, [?]: ");
  }

  async #action(question: ActionQuestion): Promise<ExecutionAnswer | undefined> {
    const { terminal, output } = this.#context;
    const { shown, of, problems } = question;
    if (problems) {
      const lines = problems.map(({ line, message }) => `line ${line}: ${message}`);
      const bar = terminal.colors.red("✗");
      await output.write(`${block(terminal, clean(lines.join("\n")), { indent: 2, bar }).join("\n")}\n`);
      await output.write("  the action is still as it was; e opens your text again\n");
    } else await output.write(`${viewAction(terminal, shown, of)}\n`);
    return shown.problem === undefined ? this.#possible(question) : this.#impossible(question);
  }

  async #possible(question: ActionQuestion): Promise<ExecutionAnswer | undefined> {
    const text = "  [a]pprove, [d]eny, [e]dit, approve the [r]est, [v]iew, [s]top ends this turn, [?]: ";
    for (;;) {
      const typed = await this.#typed(text);
      if (typed === undefined) return undefined;
      if (typed.word === "approve" || typed.word === "approve_rest") {
        await this.#sayApproved(question, typed.word);
        return { answer: typed.word };
      }
      const answer = await this.#common(question, typed, actionHelp);
      if (answer !== "again") return answer;
    }
  }

  /** What cannot be done as the files are is not approved by a habit: it has a key of its own. */
  async #impossible(question: ActionQuestion): Promise<ExecutionAnswer | undefined> {
    for (;;) {
      const typed = await this.#typed("  [f]ail here, [d]eny, [e]dit, [v]iew, [s]top ends this turn, [?]: ");
      if (typed === undefined) return undefined;
      if (/^f(?:ail)?$/i.test(typed.first)) return { answer: "approve" };
      const answer = await this.#common(question, typed, impossibleHelp);
      if (answer !== "again") return answer;
    }
  }

  /** `again`: the question stands. */
  async #common(
    question: ActionQuestion,
    { word, rest }: { word: Word | undefined; rest: string },
    help: string,
  ): Promise<ExecutionAnswer | undefined | "again"> {
    const { terminal, output, input } = this.#context;
    if (word === "stop") return { answer: "stop" };
    if (word === "deny") return this.#denial(rest);
    if (word === "edit") {
      const edited = await this.#edit(question);
      if (edited !== undefined) return { answer: "edit", text: edited };
    } else if (word === "view") {
      const whole = viewAction(terminal, question.shown, question.of, Infinity);
      await input.lendTerminal(() => output.page(`${whole}\n`));
    } else if (word === "help") await output.write(help);
    return "again";
  }

  async #sayApproved({ shown: { type } }: ActionQuestion, word: "approve" | "approve_rest"): Promise<void> {
    const what = word === "approve" ? "approved" : "approved, with all that follow";
    const isFile = type === "CREATE" || type === "EDIT";
    if (!isFile && word === "approve") return;
    const when = isFile ? "; written with the next command or at the end" : "";
    await this.#context.output.write(this.#context.terminal.colors.dim(`  ${what}${when}`) + "\n");
  }

  /** `d` alone asks for a reason; `d too risky` gives it at once. */
  async #denial(given: string): Promise<ExecutionAnswer | undefined> {
    const reason = given !== "" ? given : await this.#ask("  why? (Enter for no reason): ");
    if (reason === undefined) return undefined;
    return { answer: "deny", ...(reason.trim() !== "" && { reason: reason.trim() }) };
  }

  /** Ctrl-C in the editor is the editor's own. */
  async #edit({ editable, shown }: ActionQuestion): Promise<string | undefined> {
    const { env, output, input } = this.#context;
    const command = editorCommand(env);
    if (command === undefined) {
      output.say("no editor is named: set EDITOR, such as EDITOR=nano");
      return undefined;
    }
    const name = `${shown.type.toLowerCase()}.md`;
    const { text, isFinished } = await input.lendTerminal(() => editText(editable, { name, env }));
    if (isFinished) return text;
    output.say(`the editor failed: ${cleanLine(command)}; set EDITOR to one that works, such as EDITOR=nano`);
    if (text !== editable) output.say(`what it saved is kept in ${cleanLine(keepAside(name, text))}`);
    return undefined;
  }

  async #yesOrNo(question: string): Promise<ExecutionAnswer | undefined> {
    for (;;) {
      const typed = await this.#typed(question);
      if (typed === undefined) return undefined;
      const { word } = typed;
      if (word === "approve" || word === "deny" || word === "stop") return { answer: word };
      if (word === "help") await this.#context.output.write(yesOrNoHelp);
    }
  }

  async #typed(question: string): Promise<{ first: string; word: Word | undefined; rest: string } | undefined> {
    const typed = await this.#ask(question);
    if (typed === undefined) return undefined;
    const [first = "", ...rest] = typed.trim().split(/\s+/);
    return { first, word: words[first.toLowerCase()], rest: rest.join(" ") };
  }

  #ask(question: string): Promise<string | undefined> {
    return this.#context.input.ask(question, this.#signal);
  }
}
