import { isEmpty } from "./reading.ts";
import { arithmeticForms, readArithmetic } from "./arithmetic.ts";
import { readComment, skipBlanks } from "./blanks.ts";
import { readExpansion } from "./expansion.ts";
import { readHereDocuments } from "./here-document.ts";
import { type Lexer } from "./lexer.ts";
import { refusals } from "./refusal.ts";
import { readWord, type ShellWord } from "./word.ts";

/** Reads `case` from behind that word to behind `esac`. */
export function readCase(lexer: Lexer): void {
  const openOffset = lexer.at;
  const subject = nextWord(lexer);
  skipLines(lexer);
  const keyword = nextWord(lexer);
  if (subject.start === subject.end || keyword.text !== "in" || !keyword.isPlain) {
    throw lexer.unclear("case is not followed by a word and in", "Write case WORD in.", openOffset);
  }
  for (;;) {
    skipLines(lexer);
    if (readPatterns(lexer, openOffset) === "esac") return;
    if (lexer.readCommands("branch") === "esac") return;
  }
}

function readPatterns(lexer: Lexer, openOffset: number): "esac" | "branch" {
  const hasParenthesis = lexer.peek() === "(";
  if (hasParenthesis) lexer.at++;
  for (let first = true; ; first = false) {
    const word = nextWord(lexer);
    if (first && !hasParenthesis && word.isPlain && word.text === "esac") return "esac";
    skipBlanks(lexer);
    if (word.start === word.end || (lexer.peek() !== "|" && lexer.peek() !== ")")) {
      if (lexer.peek() === "") throw lexer.unclosed("case … esac", openOffset);
      throw lexer.unclear("a pattern of case is not followed by )", "Write PATTERN) before the branch.");
    }
    lexer.at++;
    if (lexer.text[lexer.at - 1] === ")") return "branch";
  }
}

/** Reads `for` or `select` from behind that word up to `do`, or to the separator before it. */
export function readFor(lexer: Lexer): void {
  skipBlanks(lexer);
  if (lexer.startsWith("((")) {
    readArithmetic(lexer, arithmeticForms.loop, () => readExpansion(lexer, "bare"));
    return;
  }
  const name = nextWord(lexer);
  lexer.refuse(name.holes, refusals.variableName);
  skipLines(lexer);
  if (lexer.peek() === ";") return;
  const keyword = nextWord(lexer);
  if (keyword.isPlain && keyword.text === "do") return;
  if (!keyword.isPlain || keyword.text !== "in") {
    throw lexer.unclear("the loop's name is not followed by in or do", "Write for NAME in WORDS; do.", keyword.start);
  }
  for (skipBlanks(lexer); !["", ";", "\n"].includes(lexer.peek()); skipBlanks(lexer)) {
    if (lexer.peek() === "#") readComment(lexer);
    else {
      const { holes } = readWord(lexer);
      if (!isEmpty(holes)) lexer.assignments.push({ name: name.text, isDeclaration: false, holes });
    }
    if (/[&|()<>]/.test(lexer.peek())) throw lexer.unclear("an operator stands among the words of a loop", "Quote it.");
  }
}

/** Reads the name behind `function`. */
export function readFunctionName(lexer: Lexer): void {
  const name = nextWord(lexer);
  if (name.start === name.end) throw lexer.unclear("function has no name", "Write NAME() { …; }.");
  lexer.refuse(name.holes, refusals.functionName);
}

function nextWord(lexer: Lexer): ShellWord {
  skipBlanks(lexer);
  return readWord(lexer);
}

/** Skips blanks, comments and newlines, with the here-documents that those begin. */
function skipLines(lexer: Lexer): void {
  for (;;) {
    skipBlanks(lexer);
    if (lexer.peek() === "#") readComment(lexer);
    else if (lexer.peek() === "\n") {
      lexer.at++;
      readHereDocuments(lexer);
    } else return;
  }
}
