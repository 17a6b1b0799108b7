import type { Lexer } from "./lexer.ts";
import { refusals } from "./refusal.ts";

/** What means the same wherever one shell sees arithmetic and another sees commands or plain text. */
const PLAIN = /[\w\s+\-*/%<>=!&|^~?:,.@]/;

interface Form {
  open: string;
  close: string;
  /** Other characters that this form may hold. */
  also: string;
}

export const arithmeticForms = {
  expansion: { open: "$((", close: "))", also: "" },
  command: { open: "((", close: "))", also: "" },
  loop: { open: "((", close: "))", also: ";" },
  /** `$[…]`, which only bash reads as arithmetic. */
  old: { open: "$[", close: "]", also: "" },
} as const satisfies Record<string, Form>;

/** Reads arithmetic from its opening to behind its end. Holes in it are refused; `expand` reads what a `$` starts. */
export function readArithmetic(lexer: Lexer, form: Form, expand: () => void): void {
  const opened = lexer.at;
  lexer.at += form.open.length;
  lexer.forbid(refusals.arithmetic, () => lexer.nest(() => readBody(lexer, form, opened, expand)));
  lexer.at += form.close.length;
}

function readBody(lexer: Lexer, form: Form, opened: number, expand: () => void): void {
  let parens = 0;
  let quoted = false;
  for (;;) {
    const next = lexer.peek();
    if (next === "") {
      const what = `the arithmetic ${form.open}`;
      // Others than bash take $[ for plain text.
      throw form.open === "$["
        ? lexer.unclear(`${what} is never closed`, "Close it.", opened)
        : lexer.unclosed(what, opened);
    }
    if (parens === 0 && !quoted && lexer.startsWith(form.close)) return;
    if (lexer.atHole) lexer.takeHole("bare");
    else if (next === "$") expand();
    else if (lexer.startsWith("\\\n")) lexer.at += 2;
    else {
      // Shells other than bash read "((1<<2" as a command with a here-document.
      if (form.open === "((" && lexer.startsWith("<<")) throw notEverywhere(lexer, opened);
      if (next === '"' && form.close === "))") quoted = !quoted;
      else if (next === "(" && !quoted && form.close === "))") parens++;
      else if (next === ")" && !quoted && parens > 0) parens--;
      else if (next === "#" ? !/\w/.test(lexer.text[lexer.at - 1]!) : !PLAIN.test(next) && !form.also.includes(next)) {
        throw notEverywhere(lexer, opened);
      }
      lexer.at++;
    }
  }
}

function notEverywhere(lexer: Lexer, opened: number) {
  return lexer.unclear(
    "not every shell reads this arithmetic in the same way",
    "Use x=$((…)) with plain numbers, variables and operators; for a subshell inside $(…), put a space after $(.",
    opened,
  );
}
