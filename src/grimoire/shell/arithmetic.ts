import type { Lexer } from "./lexer.ts";
import { refusals } from "./refusal.ts";

/** Characters that mean the same whether a shell sees arithmetic, commands or plain text there. */
const PLAIN = /[\w\s+\-*/%<>=!&|^~?:,.@]/;

interface Form {
  open: string;
  close: string;
  /** Other characters that this form may contain. */
  extra: string;
}

export const arithmeticForms = {
  expansion: { open: "$((", close: "))", extra: "" },
  command: { open: "((", close: "))", extra: "" },
  loop: { open: "((", close: "))", extra: ";" },
  /** `$[…]`, which only bash reads as arithmetic. */
  old: { open: "$[", close: "]", extra: "" },
} as const satisfies Record<string, Form>;

/** Reads arithmetic from its opening to behind its end. Holes in it are refused; `expand` reads what a `$` starts. */
export function readArithmetic(lexer: Lexer, form: Form, expand: () => void): void {
  const openOffset = lexer.at;
  lexer.at += form.open.length;
  lexer.refuseHoles(refusals.arithmetic, () => lexer.nest(() => readBody(lexer, form, openOffset, expand)));
  lexer.at += form.close.length;
}

function readBody(lexer: Lexer, form: Form, openOffset: number, expand: () => void): void {
  let parens = 0;
  let isQuoted = false;
  for (;;) {
    const next = lexer.peek();
    if (next === "") {
      const what = `the arithmetic ${form.open}`;
      // Others than bash take $[ for plain text.
      throw form.open === "$["
        ? lexer.unclear(`${what} is never closed`, "Close it.", openOffset)
        : lexer.unclosed(what, openOffset);
    }
    if (parens === 0 && !isQuoted && lexer.startsWith(form.close)) return;
    if (lexer.atHole) lexer.takeHole("bare");
    else if (next === "$") expand();
    else if (lexer.startsWith("\\\n")) lexer.at += 2;
    else {
      // Shells other than bash read "((1<<2" as a command with a here-document.
      if (form.open === "((" && lexer.startsWith("<<")) throw unclearArithmetic(lexer, openOffset);
      if (next === '"' && form.close === "))") isQuoted = !isQuoted;
      else if (next === "(" && !isQuoted && form.close === "))") parens++;
      else if (next === ")" && !isQuoted && parens > 0) parens--;
      else if (next === "#" ? !/\w/.test(lexer.text[lexer.at - 1]!) : !PLAIN.test(next) && !form.extra.includes(next)) {
        throw unclearArithmetic(lexer, openOffset);
      }
      lexer.at++;
    }
  }
}

function unclearArithmetic(lexer: Lexer, openOffset: number) {
  return lexer.unclear(
    "not every shell reads this arithmetic in the same way",
    "Use x=$((…)) with plain numbers, variables and operators; for a subshell inside $(…), put a space after $(.",
    openOffset,
  );
}
