import type { Lexer } from "./lexer.ts";

/** Characters that may become another operator when the shell removes a backslash and a newline between them. */
const OPERATOR_STARTS = "$<>&|;(!?*@+=";
const OPERATOR_ENDS = "<>&|;()-#";

const BLANKS = /[ \t]*/y;
const COMMENT_TEXT = /[^\n\0]*/y;

/** Skips a backslash before a newline, which the shell removes, if there is one. */
export function skipContinuation(lexer: Lexer): boolean {
  if (!lexer.startsWith("\\\n")) return false;
  const before = lexer.text[lexer.at - 1] ?? "\n";
  while (lexer.startsWith("\\\n")) lexer.at += 2;
  const after = lexer.peek();
  if (before === "$" || (OPERATOR_STARTS.includes(before) && after !== "" && OPERATOR_ENDS.includes(after))) {
    throw lexer.unclear("a backslash at the end of a line splits an operator", "Write the operator on one line.");
  }
  return true;
}

export function skipBlanks(lexer: Lexer): void {
  do lexer.skip(BLANKS);
  while (skipContinuation(lexer));
}

/** Reads a comment up to its newline. Nothing in it has an effect, so holes may stand there. */
export function readComment(lexer: Lexer): void {
  for (;;) {
    lexer.skip(COMMENT_TEXT);
    if (!lexer.atHole) return;
    lexer.takeHole("comment");
  }
}

/** Whether the text ends in a backslash that escapes what follows. */
export function endsEscaped(text: string): boolean {
  let start = text.length;
  while (start > 0 && text[start - 1] === "\\") start--;
  return (text.length - start) % 2 === 1;
}
