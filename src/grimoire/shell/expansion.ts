import { arithmeticForms, readArithmetic } from "./arithmetic.ts";
import { endsEscaped } from "./blanks.ts";
import type { Lexer } from "./lexer.ts";
import { refusals } from "./refusal.ts";
import { HOLE } from "./source.ts";

/** What surrounds an expansion; shells read quotes inside `${…}` differently in each. */
export type QuoteContext = "bare" | "double quotes" | "here-document";

const SINGLE_QUOTED_TEXT = /[^'\0]*/y;
const DOUBLE_QUOTED_TEXT = /[^"$`\\\0]*/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y;

/** Reads what a `$` starts, from the `$` on. A lone `$` is text. */
export function readExpansion(lexer: Lexer, context: QuoteContext): void {
  const next = lexer.peek(1);
  if (next === "\\" && lexer.peek(2) === "\n") {
    throw lexer.unclear("a backslash at the end of a line splits an expansion", "Write the expansion on one line.");
  }
  if (lexer.startsWith("$((")) readArithmetic(lexer, arithmeticForms.expansion, () => readExpansion(lexer, context));
  else if (next === "(") readSubstitution(lexer);
  else if (next === "{") readParameter(lexer, context);
  else if (next === "[") readArithmetic(lexer, arithmeticForms.old, () => readExpansion(lexer, context));
  else if (next === "'" && context === "bare") readAnsiQuotes(lexer);
  else if (next === '"' && context === "bare") {
    lexer.at++;
    lexer.refuseHoles(refusals.localeQuotes, () => readDoubleQuotes(lexer));
  } else {
    lexer.at++;
    if (lexer.atHole) lexer.takeHole("bare", refusals.afterDollar);
    else readName(lexer, context);
  }
}

function readName(lexer: Lexer, context: QuoteContext): void {
  const start = lexer.at;
  NAME.lastIndex = start;
  lexer.at = Math.min(start + (NAME.exec(lexer.text)?.[0].length ?? 0), lexer.limit);
  // Looking for the end of the quotes, bash takes the second $ of "$$(" for the start of another expansion.
  if (lexer.text[start] === "$" && lexer.at > start && /[({[]/.test(lexer.peek())) {
    throw lexer.unclear("$$ stands directly before a bracket", "Write ${$} for the process id.", start - 1);
  }
  // A value that is written out behind "$name" must not become part of the name.
  if (context !== "bare" && /[A-Za-z_]/.test(lexer.text[start] ?? "") && holeFollows(lexer)) {
    lexer.edits.push({ start, end: start, text: "{" }, { start: lexer.at, end: lexer.at, text: "}" });
  }
}

/** Whether a hole is next, or will be when the shell has removed the backslashes at the ends of lines. */
function holeFollows(lexer: Lexer): boolean {
  let ahead = 0;
  while (lexer.peek(ahead) === "\\" && lexer.peek(ahead + 1) === "\n") ahead += 2;
  return lexer.peek(ahead) === HOLE;
}

/** Reads `$(…)`, `<(…)` or `>(…)`: commands of their own, with here-documents of their own. */
export function readSubstitution(lexer: Lexer): void {
  const outer = lexer.pending;
  lexer.pending = [];
  const isOutput = lexer.peek() === ">";
  lexer.at += 2;
  if (isOutput) lexer.pipelines.pipeInto(() => lexer.readCommands(")"));
  else lexer.readCommands(")");
  if (lexer.pending.length > 0) {
    throw lexer.unclear(
      "a here-document starts inside a substitution and ends outside",
      "End the here-document before the closing parenthesis, each on a line of its own.",
    );
  }
  lexer.pending = outer;
  lexer.at++;
}

export function readDoubleQuotes(lexer: Lexer): void {
  const openOffset = lexer.at;
  lexer.at++;
  lexer.nest(() => {
    for (;;) {
      lexer.skip(DOUBLE_QUOTED_TEXT);
      const next = lexer.peek();
      if (next === "") throw lexer.unclosed("the double quote", openOffset);
      if (next === '"') break;
      readQuotedCharacter(lexer, "double quotes");
    }
  });
  lexer.at++;
}

/** Reads one step of text in which `\`, `$` and backquotes keep their meaning: double quotes, here-documents. */
export function readQuotedCharacter(lexer: Lexer, context: "double quotes" | "here-document"): void {
  const next = lexer.peek();
  if (lexer.atHole) lexer.takeHole(context);
  else if (next === "$") readExpansion(lexer, context);
  else if (next === "`") readBackquotes(lexer);
  else if (next === "\\") readEscaped(lexer, context);
  else lexer.at++;
}

/** Reads a backslash and what it escapes. */
export function readEscaped(lexer: Lexer, context: QuoteContext): void {
  lexer.at++;
  if (lexer.peek() === "") throw lexer.unclear("a backslash is the last character", "Remove it.", lexer.at - 1);
  if (lexer.atHole) lexer.takeHole(context, refusals.afterBackslash);
  else lexer.at++;
}

/** Reads single quotes. Nothing in them is special, so a hole is the only thing to look for. */
export function readSingleQuotes(lexer: Lexer): void {
  const openOffset = lexer.at;
  lexer.at++;
  for (;;) {
    lexer.skip(SINGLE_QUOTED_TEXT);
    const next = lexer.peek();
    if (next === "") throw lexer.unclosed("the single quote", openOffset);
    if (next === "'") break;
    lexer.takeHole("single quotes");
  }
  lexer.at++;
}

/** In every shell the next backquote without a backslash ends them, whatever stands between. */
export function readBackquotes(lexer: Lexer): void {
  const openOffset = lexer.at;
  lexer.at++;
  lexer.refuseHoles(refusals.backquotes, () => {
    for (;;) {
      const next = lexer.peek();
      if (next === "") throw lexer.unclosed("the backquote", openOffset);
      if (next === "`") break;
      if (lexer.atHole) lexer.takeHole("bare");
      else if (next === "\\") readEscaped(lexer, "bare");
      else lexer.at++;
    }
  });
  lexer.at++;
}

/** `$'…'`: bash lets `\'` stand inside, others end there. */
function readAnsiQuotes(lexer: Lexer): void {
  const openOffset = lexer.at;
  lexer.at++;
  lexer.refuseHoles(refusals.ansiQuotes, () => readSingleQuotes(lexer));
  if (endsEscaped(lexer.text.slice(openOffset, lexer.at - 1))) {
    throw lexer.unclear(
      String.raw`not every shell reads \' inside $'…' in the same way`,
      String.raw`Write \047 for the quote.`,
      openOffset,
    );
  }
}

/** `${…}`: only its end matters, since no hole may stand inside. What shells end in different places is unclear. */
function readParameter(lexer: Lexer, context: QuoteContext): void {
  const openOffset = lexer.at;
  lexer.at += 2;
  if (/[\s|(]/.test(lexer.peek())) throw unclearParameter(lexer, openOffset);
  lexer.refuseHoles(refusals.parameter, () =>
    lexer.nest(() => {
      for (;;) {
        const next = lexer.peek();
        if (next === "") throw lexer.unclosed("the expansion ${", openOffset);
        if (next === "}") break;
        readParameterCharacter(lexer, context, openOffset);
      }
    }),
  );
  lexer.at++;
}

function readParameterCharacter(lexer: Lexer, context: QuoteContext, openOffset: number): void {
  const next = lexer.peek();
  if (lexer.atHole) lexer.takeHole("bare");
  else if (next === "$") readExpansion(lexer, context);
  else if (next === "`") readBackquotes(lexer);
  else if (next === "\\") readEscaped(lexer, context);
  else if (next === "'") {
    if (context !== "bare") throw unclearParameter(lexer, openOffset);
    readSingleQuotes(lexer);
  } else if (next === '"') {
    if (context === "here-document") throw unclearParameter(lexer, openOffset);
    const innerStart = lexer.at;
    readDoubleQuotes(lexer);
    if (context !== "bare" && /['}]/.test(lexer.text.slice(innerStart, lexer.at)))
      throw unclearParameter(lexer, openOffset);
  } else if ((next === "<" || next === ">") && lexer.peek(1) === "(") throw unclearParameter(lexer, openOffset);
  else lexer.at++;
}

function unclearParameter(lexer: Lexer, openOffset: number) {
  return lexer.unclear(
    "not every shell ends this ${…} in the same place",
    "Take the inner part apart: give it to a variable on a line of its own.",
    openOffset,
  );
}
