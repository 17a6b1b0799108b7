import type { StdinUse } from "./reading.ts";
import { arithmeticForms, readArithmetic } from "./arithmetic.ts";
import { readComment, skipBlanks } from "./blanks.ts";
import { checkCommand } from "./check-command.ts";
import { readCase, readFor, readFunctionName } from "./compound.ts";
import { readConditional } from "./conditional.ts";
import { readExpansion } from "./expansion.ts";
import { readHereDocuments } from "./here-document.ts";
import { type Closer, type Lexer } from "./lexer.ts";
import { readRedirection } from "./redirection.ts";
import { refusals } from "./refusal.ts";
import { SimpleCommand } from "./simple-command.ts";
import { readWord } from "./word.ts";

/** After these a command follows, so they change nothing about where the next word stands. */
const BEFORE_A_COMMAND = new Set("if then elif else fi while until do done ! { } time esac".split(" "));

const OPENS_GROUP = new Set(["if", "while", "until", "{"]);
const CLOSES_GROUP = new Set(["fi", "done", "}"]);

/**
 * Reads commands up to `closer` and stops before it. Compound commands are not matched up (the shell does that); what
 * counts is which words are command words, and where parentheses end. `esac` is returned when a branch ends with it.
 */
export function readCommands(lexer: Lexer, closer: Closer): "closed" | "esac" {
  const outerDepth = lexer.pipelines.depth;
  lexer.pipelines.open();
  const reader = new CommandReader(lexer, closer);
  for (;;) {
    const end = reader.step();
    if (end === undefined) continue;
    lexer.pipelines.close(outerDepth);
    return end;
  }
}

class CommandReader {
  readonly #lexer: Lexer;
  readonly #closer: Closer;
  readonly #openOffset: number;
  /** Levels of pipelines around this list and its own. */
  readonly #depth: number;
  #command = new SimpleCommand();
  /** What the group of commands that has just ended does with its standard input. */
  #groupUses: StdinUse[] = [];
  /** Whether a `|` was read last; newlines behind it do not end the command. */
  #afterPipe = false;
  /** Whether an earlier `!` or `||` turns a failure into a success. */
  #isNegated = false;

  constructor(lexer: Lexer, closer: Closer) {
    this.#lexer = lexer;
    this.#closer = closer;
    this.#openOffset = lexer.at;
    this.#depth = lexer.pipelines.depth;
  }

  /** Reads one token. Returns how the list ended, when it did. */
  step(): "closed" | "esac" | undefined {
    const lexer = this.#lexer;
    skipBlanks(lexer);
    const next = lexer.peek();
    const afterPipe = this.#afterPipe;
    this.#afterPipe = afterPipe && (next === "\n" || next === "#");
    switch (next) {
      case "":
        this.#finish();
        if (this.#closer === ")") throw lexer.unclosed("the parenthesis", this.#openOffset);
        if (this.#closer === "branch") throw lexer.unclosed("case … esac", this.#openOffset);
        if (lexer.pending.length > 0) readHereDocuments(lexer);
        return "closed";
      case "\n":
        if (this.#command.hasStarted) this.#isNegated = false;
        if (!afterPipe) this.#finish();
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
        this.#readOperator();
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
    this.#isNegated = false;
    if (ending === undefined) {
      lexer.at++;
      return undefined;
    }
    if (this.#closer !== "branch") throw lexer.unclear(`${ending} stands outside of case`, "Use a single ;.");
    lexer.at += ending.length;
    return "closed";
  }

  /** `&`, `&&`, `|`, `||`, `|&`, or bash's redirection `&>`. */
  #readOperator(): void {
    const lexer = this.#lexer;
    if (lexer.startsWith("&>")) {
      this.#command.redirect(readRedirection(lexer));
      return;
    }
    const operator = ["&&", "||", "|&"].find((double) => lexer.startsWith(double)) ?? lexer.peek();
    const isPipe = operator === "|" || operator === "|&";
    if (isPipe) this.#check();
    else this.#finish();
    if (isPipe) lexer.pipelines.pipe();
    lexer.at += operator.length;
    this.#afterPipe = isPipe;
    this.#isNegated = operator === "||" || (operator !== "&" && this.#isNegated);
  }

  #readParenthesis(): void {
    const lexer = this.#lexer;
    const { words, assignments } = this.#command;
    if (!this.#command.hasStarted) {
      if (lexer.startsWith("((")) this.#readArithmeticCommand();
      else {
        lexer.at++;
        this.#readGroup(() => lexer.readCommands(")"));
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
    const isFirstWord = command.words.length === 0;
    const word = readWord(lexer, isFirstWord);
    const next = lexer.peek();
    if ((next === "<" || next === ">") && word.isPlain && /^(\d+|\{\w+\})$/.test(word.text)) {
      command.redirect(readRedirection(lexer), word.text);
      return undefined;
    }
    if (!command.hasStarted && word.isPlain && this.#readReserved(word.text)) return undefined;
    if (!command.hasStarted && word.isPlain && word.text === "esac" && this.#closer === "branch") return "esac";
    if (!command.hasStarted && word.isPlain && BEFORE_A_COMMAND.has(word.text)) {
      if (word.text === "time") this.#skipTimeOptions();
      if (word.text === "!") this.#isNegated = true;
      this.#enterOrLeaveGroup(word.text);
      return undefined;
    }
    command.hasStarted = true;
    if (isFirstWord && word.assignedName !== undefined) command.assignments.push(word);
    else command.words.push(word);
    return undefined;
  }

  /** Reads the compound commands in which words have a meaning of their own. */
  #readReserved(text: string): boolean {
    const lexer = this.#lexer;
    switch (text) {
      case "case":
        this.#readGroup(() => lexer.nest(() => readCase(lexer)));
        return true;
      case "for":
      case "select":
        lexer.pipelines.open();
        readFor(lexer);
        return true;
      case "function":
        readFunctionName(lexer);
        skipBlanks(lexer);
        if (lexer.peek() === "(") readEmptyParentheses(lexer);
        return true;
      case "[[":
        readConditional(lexer, this.#isNegated);
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
      lexer.refuse(readWord(lexer).holes, refusals.commandWord);
    }
  }

  /** Reads commands that share the standard input which redirections behind them give. */
  #readGroup(read: () => void): void {
    const { pipelines } = this.#lexer;
    const outerDepth = pipelines.depth;
    pipelines.open();
    read();
    this.#groupUses = pipelines.close(outerDepth);
  }

  /** Does the same for groups in words, which are not matched up: a closing word closes the last open group. */
  #enterOrLeaveGroup(word: string): void {
    const { pipelines } = this.#lexer;
    if (OPENS_GROUP.has(word)) pipelines.open();
    else if (CLOSES_GROUP.has(word) && pipelines.depth > this.#depth) {
      this.#groupUses = pipelines.close(pipelines.depth - 1);
    }
  }

  /** The command is complete, and its pipeline too. */
  #finish(): void {
    this.#check();
    this.#lexer.pipelines.begin();
  }

  #check(): void {
    if (this.#command.hasStarted) checkCommand(this.#lexer, this.#command, this.#groupUses);
    this.#command = new SimpleCommand();
    this.#groupUses = [];
  }
}

function readEmptyParentheses(lexer: Lexer): void {
  lexer.at++;
  skipBlanks(lexer);
  if (lexer.peek() !== ")") throw lexer.unclear("a parenthesis stands between arguments", "Quote it.");
  lexer.at++;
}
