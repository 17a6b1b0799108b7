import { arithmeticForms, readArithmetic } from "./arithmetic.ts";
import { readComment, skipBlanks } from "./blanks.ts";
import { checkCommand } from "./check-command.ts";
import { readCase, readFor, readFunctionName } from "./compound.ts";
import { readConditional } from "./conditional.ts";
import { readExpansion } from "./expansion.ts";
import { readHereDocuments } from "./here-document.ts";
import { type Closer, isEmpty, type Lexer } from "./lexer.ts";
import { readRedirection } from "./redirection.ts";
import { refusals } from "./refusal.ts";
import { SimpleCommand } from "./simple-command.ts";
import { readWord } from "./word.ts";

/** After these a command follows, so they change nothing about where the next word stands. */
const BEFORE_A_COMMAND = new Set([
  "if",
  "then",
  "elif",
  "else",
  "fi",
  "while",
  "until",
  "do",
  "done",
  "!",
  "{",
  "}",
  "time",
  "esac",
]);

/**
 * Reads commands up to `closer` and stops before it. Compound commands are not matched up (the shell does that); what
 * counts is which words are command words, and where parentheses end. `esac` is returned when a branch ends with it.
 */
export function readCommands(lexer: Lexer, closer: Closer): "closed" | "esac" {
  const reader = new CommandReader(lexer, closer);
  for (;;) {
    const end = reader.step();
    if (end !== undefined) return end;
  }
}

class CommandReader {
  readonly #lexer: Lexer;
  readonly #closer: Closer;
  readonly #opened: number;
  #command = new SimpleCommand();

  constructor(lexer: Lexer, closer: Closer) {
    this.#lexer = lexer;
    this.#closer = closer;
    this.#opened = lexer.at;
  }

  /** Reads one token; the way it ended when the list is at its end. */
  step(): "closed" | "esac" | undefined {
    const lexer = this.#lexer;
    skipBlanks(lexer);
    switch (lexer.peek()) {
      case "":
        this.#finish();
        if (this.#closer === ")") throw lexer.unclosed("the parenthesis", this.#opened);
        if (this.#closer === "branch") throw lexer.unclosed("case … esac", this.#opened);
        if (lexer.pending.length > 0) readHereDocuments(lexer);
        return "closed";
      case "\n":
        this.#finish();
        lexer.at++;
        readHereDocuments(lexer);
        return undefined;
      case "#":
        readComment(lexer);
        return undefined;
      case ")":
        this.#finish();
        if (this.#closer === ")") return "closed";
        throw lexer.unclear("this parenthesis closes nothing", "Remove it, or quote it.");
      case ";":
        return this.#readSemicolon();
      case "&":
      case "|":
        this.#readConnection();
        return undefined;
      case "(":
        this.#readParenthesis();
        return undefined;
      case "<":
      case ">":
        if (lexer.peek(1) === "(") return this.#readWord();
        this.#command.redirect(readRedirection(lexer));
        return undefined;
      default:
        return this.#readWord();
    }
  }

  #readSemicolon(): "closed" | undefined {
    const lexer = this.#lexer;
    this.#finish();
    const ending = [";;&", ";;", ";&"].find((operator) => lexer.startsWith(operator));
    if (ending === undefined) {
      lexer.at++;
      return undefined;
    }
    if (this.#closer !== "branch") throw lexer.unclear(`${ending} stands outside of case`, "Use a single ;.");
    lexer.at += ending.length;
    return "closed";
  }

  /** `&`, `&&`, `|`, `||`, `|&`, or bash's redirection `&>`. */
  #readConnection(): void {
    const lexer = this.#lexer;
    if (lexer.startsWith("&>")) {
      this.#command.redirect(readRedirection(lexer));
      return;
    }
    this.#finish();
    lexer.at += ["&&", "||", "|&"].some((operator) => lexer.startsWith(operator)) ? 2 : 1;
  }

  #readParenthesis(): void {
    const lexer = this.#lexer;
    const { words, assignments } = this.#command;
    if (!this.#command.started) {
      if (lexer.startsWith("((")) this.#readArithmeticCommand();
      else {
        lexer.at++;
        lexer.readCommands(")");
        lexer.at++;
      }
    } else if (words.length === 1 && assignments.length === 0) {
      lexer.refuse(words[0]!.holes, refusals.functionName);
      readEmptyParentheses(lexer);
      this.#command = new SimpleCommand();
    } else throw lexer.unclear("a parenthesis stands between arguments", "Quote it.");
  }

  #readArithmeticCommand(): void {
    const lexer = this.#lexer;
    const start = lexer.at;
    readArithmetic(lexer, arithmeticForms.command, () => readExpansion(lexer, "bare"));
    if (lexer.pending.length > 0 && lexer.text.slice(start, lexer.at).includes("\n")) {
      throw lexer.unclear(
        "((…)) goes over several lines before a here-document's text",
        "Write it on one line.",
        start,
      );
    }
  }

  #readWord(): "esac" | undefined {
    const lexer = this.#lexer;
    const command = this.#command;
    const naming = command.words.length === 0;
    const word = readWord(lexer, naming);
    const next = lexer.peek();
    if ((next === "<" || next === ">") && word.plain && /^(\d+|\{\w+\})$/.test(word.text)) {
      command.redirect(readRedirection(lexer));
      return undefined;
    }
    if (!command.started && word.plain && this.#readReserved(word.text)) return undefined;
    if (!command.started && word.plain && word.text === "esac" && this.#closer === "branch") return "esac";
    if (!command.started && word.plain && BEFORE_A_COMMAND.has(word.text)) {
      if (word.text === "time") this.#skipTimeOptions();
      return undefined;
    }
    command.started = true;
    if (naming && word.assigns !== undefined) command.assignments.push(word);
    else command.words.push(word);
    return undefined;
  }

  /** Reads the compound commands in which words have a meaning of their own. */
  #readReserved(text: string): boolean {
    const lexer = this.#lexer;
    switch (text) {
      case "case":
        lexer.nest(() => readCase(lexer));
        return true;
      case "for":
      case "select":
        readFor(lexer);
        return true;
      case "function":
        readFunctionName(lexer);
        skipBlanks(lexer);
        if (lexer.peek() === "(") readEmptyParentheses(lexer);
        return true;
      case "[[":
        readConditional(lexer);
        return true;
      case "coproc":
        throw lexer.unclear("only bash knows coproc", "Use a pipe or a named pipe.");
      default:
        return false;
    }
  }

  #skipTimeOptions(): void {
    const lexer = this.#lexer;
    for (skipBlanks(lexer); lexer.peek() === "-"; skipBlanks(lexer)) {
      const option = readWord(lexer);
      if (!isEmpty(option.holes)) lexer.refuse(option.holes, refusals.commandWord);
    }
  }

  #finish(): void {
    if (this.#command.started) checkCommand(this.#lexer, this.#command);
    this.#command = new SimpleCommand();
  }
}

function readEmptyParentheses(lexer: Lexer): void {
  lexer.at++;
  skipBlanks(lexer);
  if (lexer.peek() !== ")") throw lexer.unclear("a parenthesis stands between arguments", "Quote it.");
  lexer.at++;
}
