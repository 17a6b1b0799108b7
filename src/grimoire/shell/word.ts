import type { HoleRange } from "./reading.ts";
import { readComment, skipContinuation } from "./blanks.ts";
import {
  readBackquotes,
  readDoubleQuotes,
  readEscaped,
  readExpansion,
  readSingleQuotes,
  readSubstitution,
} from "./expansion.ts";
import type { Lexer } from "./lexer.ts";
import { refusals } from "./refusal.ts";
import { HOLE } from "./source.ts";

/** Stands in a word's text for what only the shell knows: `$x`, `$(…)`, backquotes. */
export const DYNAMIC = "\u0001";

export interface ShellWord {
  start: number;
  end: number;
  /** Every hole in it, also those inside its substitutions. */
  holes: HoleRange;
  /** Without quotes; HOLE and DYNAMIC stand for what only the run or the shell knows. */
  text: string;
  /** Only plain characters, so that it may be a reserved word. */
  isPlain: boolean;
  /** Its unquoted characters, with HOLE for each other part. */
  unquoted: string;
  /** Whether what was read so far is a name (or nothing yet), or a name and `+`. Keeps reading a word linear. */
  prefix: "name" | "name+" | "other";
  /** The name on the left of an `=`, if the word has the form of an assignment. */
  assignedName?: string;
  /** Whether what it assigns is a list in parentheses. */
  isArray?: boolean;
}

const RUN = /[A-Za-z0-9_./:,%^~\]{}-]+/y;
/** `{1..VALUE}`, of which bash makes nothing, or not what it makes of the same text without the braces. */
const BRACES = /\{[^{}]*\}/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NAME_REST = /^[A-Za-z0-9_]+$/;

/** Reads a word that begins here. `mayAssign`: where `a[…]=` would be an assignment. */
export function readWord(lexer: Lexer, mayAssign = false): ShellWord {
  const word: ShellWord = {
    start: lexer.at,
    end: lexer.at,
    holes: { first: lexer.nextHole, end: lexer.nextHole },
    text: "",
    unquoted: "",
    isPlain: true,
    prefix: "name",
  };
  if (lexer.peek() === "#")
    throw lexer.unclear("a comment stands where a word is expected", "Quote the #, or remove it.");
  while (readPart(lexer, word, mayAssign));
  word.end = lexer.at;
  word.holes.end = lexer.nextHole;
  if (word.unquoted.match(BRACES)?.some((braces) => braces.includes("..")))
    lexer.refuse(word.holes, refusals.braceSequence);
  if (lexer.pending.length > 0 && lexer.text.slice(word.start, word.end).includes("\n")) {
    throw lexer.unclear(
      "a word goes over several lines before the here-document's text",
      "Give that word to a variable on a line above.",
      word.start,
    );
  }
  return word;
}

/** Reads one part; false when the word is at its end. */
function readPart(lexer: Lexer, word: ShellWord, mayAssign: boolean): boolean {
  if (skipContinuation(lexer)) return true;
  const next = lexer.peek();
  switch (next) {
    case "":
    case " ":
    case "\t":
    case "\n":
    case ";":
    case "&":
    case "|":
    case ")":
      return false;
    case "(":
      return readParenthesis(lexer, word);
    case "<":
    case ">":
      if (lexer.peek(1) !== "(") return false;
      readSubstitution(lexer);
      return add(word, DYNAMIC);
    case HOLE:
      lexer.takeHole("bare");
      if (lexer.peek() === "(") lexer.refuse({ first: lexer.nextHole - 1, end: lexer.nextHole }, refusals.functionName);
      return add(word, HOLE);
    case "\\":
    case "'":
    case '"':
      return readQuoted(lexer, word, next);
    case "$":
      readExpansion(lexer, "bare");
      return add(word, DYNAMIC);
    case "`":
      readBackquotes(lexer);
      return add(word, DYNAMIC);
    case "=":
      return readEquals(lexer, word);
    case "[":
      if (mayAssign && word.isPlain && word.prefix === "name" && word.text !== "") return readSubscript(lexer, word);
      break;
  }
  RUN.lastIndex = lexer.at;
  const run = RUN.exec(lexer.text)?.[0].slice(0, lexer.limit - lexer.at) ?? next;
  word.prefix = extendPrefix(word, run);
  word.text += run;
  word.unquoted += run;
  lexer.at += run.length;
  return true;
}

function extendPrefix({ prefix, text }: ShellWord, run: string): ShellWord["prefix"] {
  if (prefix !== "name") return "other";
  if (run === "+" && text !== "") return "name+";
  return (text === "" ? NAME : NAME_REST).test(run) ? "name" : "other";
}

function add(word: ShellWord, text: string): true {
  word.text += text;
  word.unquoted += HOLE;
  word.isPlain = false;
  return true;
}

function readQuoted(lexer: Lexer, word: ShellWord, quote: "\\" | "'" | '"'): true {
  const start = lexer.at;
  if (quote === "'") readSingleQuotes(lexer);
  else if (quote === '"') readDoubleQuotes(lexer);
  else readEscaped(lexer, "bare");
  const inner = lexer.text.slice(start + 1, quote === "\\" ? lexer.at : lexer.at - 1);
  return add(word, quote === '"' ? doubleQuotedText(inner) : inner);
}

function doubleQuotedText(inner: string): string {
  const text = inner
    .replaceAll(/\$(\w+|\{\w+\}|[@*#?$!-])/g, DYNAMIC)
    .replaceAll(/\\([\\"\n])/g, (_, escaped: string) => (escaped === "\n" ? "" : escaped));
  // Other expansions are not taken apart: from where one starts, the text is unknown.
  const unknownStart = text.search(/[$`]/);
  return unknownStart === -1 ? text : text.slice(0, unknownStart) + DYNAMIC;
}

function readEquals(lexer: Lexer, word: ShellWord): true {
  const isAssignment = word.assignedName === undefined && word.isPlain && word.prefix !== "other" && word.text !== "";
  const name = !isAssignment || word.prefix === "name" ? word.text : word.text.slice(0, -1);
  if (isAssignment) word.assignedName = name;
  word.prefix = "other";
  word.text += "=";
  lexer.at++;
  if (isAssignment && lexer.peek() === "(") {
    lexer.evaluatedNames.set(name, lexer.evaluatedNames.get(name) ?? "array");
    readArray(lexer, word);
  }
  return true;
}

/** Reads `(…)` behind `name=`. Its words are data, but a subscript in front of one is not. */
function readArray(lexer: Lexer, word: ShellWord): void {
  const openOffset = lexer.at;
  lexer.at++;
  lexer.nest(() => {
    for (;;) {
      const next = lexer.peek();
      if (next === "") throw lexer.unclosed("the array", openOffset);
      if (next === ")") break;
      if (next === " " || next === "\t" || next === "\n") lexer.at++;
      else if (skipContinuation(lexer)) continue;
      else if (next === "#") readComment(lexer);
      else {
        const element = readWord(lexer);
        if (element.end === element.start) {
          throw lexer.unclear("an operator stands in an array", "Quote it.");
        }
        if (element.text.startsWith("[") && !/^\[\w*\]\+?=/.test(element.text))
          lexer.refuse(element.holes, refusals.subscript);
      }
    }
  });
  lexer.at++;
  word.isArray = true;
  add(word, DYNAMIC);
}

/** Reads `[…]` behind a name where an assignment may stand. Bash takes all up to the bracket, others end at a blank. */
function readSubscript(lexer: Lexer, word: ShellWord): true {
  const name = word.text;
  const openOffset = lexer.at;
  const inner: ShellWord = { ...word, text: "", unquoted: "", isPlain: true, prefix: "other" };
  lexer.at++;
  lexer.refuseHoles(refusals.subscript, () => {
    while (lexer.peek() !== "]") {
      if (lexer.peek() === "#" || !readSubscriptPart(lexer, inner)) {
        throw lexer.unclear(
          "not every shell reads this subscript in the same way",
          "Put it in quotes, or remove the blanks.",
          openOffset,
        );
      }
    }
  });
  lexer.at++;
  const isAssignment = lexer.peek() === "=" || lexer.startsWith("+=");
  word.text += lexer.text.slice(openOffset, lexer.at);
  word.prefix = "other";
  if (isAssignment) {
    lexer.at += lexer.peek() === "=" ? 1 : 2;
    word.text += "=";
    word.assignedName = name;
    lexer.evaluatedNames.set(name, lexer.evaluatedNames.get(name) ?? "array");
  }
  return true;
}

/** One part of a subscript; like a word's, but a closing bracket ends it. */
function readSubscriptPart(lexer: Lexer, inner: ShellWord): boolean {
  const next = lexer.peek();
  if (/[A-Za-z0-9_./:,%^~{}+*@!?=-]/.test(next)) {
    lexer.at++;
    return true;
  }
  return next !== "[" && next !== "(" && readPart(lexer, inner, false);
}

/** `(` inside a word: a pattern such as `@(a|b)`, which bash reads as one word. Else it is an error in every shell. */
function readParenthesis(lexer: Lexer, word: ShellWord): boolean {
  const before = lexer.text[lexer.at - 1] ?? "";
  if (lexer.at === word.start || !"?*+@!".includes(before) || word.text === "!") {
    if (word.text === "!" && before === "!") throw lexer.unclear("!( is a pattern in bash", "Put a space after the !.");
    return false;
  }
  const openOffset = lexer.at;
  let parens = 0;
  do {
    const next = lexer.peek();
    if (next === "(") parens++;
    else if (next === ")") parens--;
    else if (lexer.atHole) {
      lexer.takeHole("bare", refusals.pattern);
      continue;
    } else if (!/[\w|*?.,:/@+!^~[\]-]/.test(next)) {
      throw lexer.unclear(
        "not every shell reads this pattern in the same way",
        "Use case with plain patterns.",
        openOffset,
      );
    }
    lexer.at++;
  } while (parens > 0);
  return add(word, DYNAMIC);
}
