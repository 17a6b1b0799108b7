import type { HereDocument } from "./reading.ts";
import { skipBlanks } from "./blanks.ts";
import { readDelimiter } from "./here-document.ts";
import type { Lexer } from "./lexer.ts";
import { refusals } from "./refusal.ts";
import { readWord, type ShellWord } from "./word.ts";

const OPERATOR = /<<<|<<-|<<|<>|<&|<|>>|>\||>&|>|&>>|&>/y;

export interface Redirection {
  operator: string;
  target?: ShellWord;
  document?: HereDocument;
}

/** Reads a redirection from its operator on. */
export function readRedirection(lexer: Lexer): Redirection {
  OPERATOR.lastIndex = lexer.at;
  const operator = OPERATOR.exec(lexer.text)?.[0] ?? "";
  lexer.at += operator.length;
  skipBlanks(lexer);
  if (operator === "<<" || operator === "<<-") return { operator, document: readDelimiter(lexer, operator === "<<-") };
  const target = readWord(lexer);
  if (target.start === target.end) {
    throw lexer.unclear(`${operator} has no target`, "Write the file's name behind it.");
  }
  if (operator === "<&" || operator === ">&") lexer.refuse(target.holes, refusals.descriptor);
  return { operator, target };
}
