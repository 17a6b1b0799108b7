import { skipBlanks } from "./blanks.ts";
import { checkWords } from "./check-command.ts";
import { type Lexer } from "./lexer.ts";
import type { HoleRefusal } from "./refusal.ts";
import { refuseAll } from "./rules/rule.ts";
import { readWord, type ShellWord } from "./word.ts";

const EVALUATES = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-v", "-R"]);

const refusedComparison: HoleRefusal = {
  where: "in a comparison of [[ … ]] that bash evaluates as arithmetic or as a name",
  hint: (source) => `Use [ … ], which takes numbers as they are: [ ${source} -eq 1 ].`,
};
const refusedOrder: HoleRefusal = {
  where: "behind < or > in [[ … ]], which other shells take for a file",
  hint: (source) => `Compare for equality, [ ${source} = … ], or let sort decide the order.`,
};
const refusedFirst: HoleRefusal = {
  where: "first behind an operator in [[ … ]], where other shells expect a command",
  hint: (source) => `Use two commands: [ … ] && [ ${source} = … ].`,
};

/**
 * Reads `[[ … ]]` from behind the opening. Other shells see a command named `[[` there, and further commands behind
 * the operators, so a hole must be data in both readings. But that command fails, so that what follows `&&` is never
 * run, unless something turns the failure around: `reversed` says that a `!` or `||` stands before.
 */
export function readConditional(lexer: Lexer, isNegated: boolean): void {
  const openOffset = lexer.at;
  let segment: ShellWord[] = [];
  let mayRun = false;
  let afterComparison = false;
  for (;;) {
    skipBlanks(lexer);
    const next = lexer.peek();
    if (next === "") throw lexer.unclear("the condition [[ is never closed", "Close it with ]].", openOffset);
    if (/[\n&|()<>;#]/.test(next)) {
      afterComparison = next === "<" || next === ">";
      const isAnd = lexer.startsWith("&&");
      skipOperator(lexer, openOffset);
      if (afterComparison) continue;
      checkSegment(lexer, segment, mayRun);
      segment = [];
      mayRun ||= isNegated || !isAnd;
      continue;
    }
    const word = readWord(lexer);
    if (word.isPlain && word.text === "]]") break;
    if (afterComparison) lexer.refuse(word.holes, refusedOrder);
    afterComparison = false;
    segment.push(word);
  }
  checkSegment(lexer, segment, mayRun);
}

function skipOperator(lexer: Lexer, openOffset: number): void {
  const isDouble = lexer.startsWith("&&") || lexer.startsWith("||");
  const next = lexer.peek();
  const isAllowed = isDouble || "|()<>".includes(next) || (next === "\n" && lexer.pending.length === 0);
  if (!isAllowed || lexer.startsWith("<<") || lexer.startsWith("<(") || lexer.startsWith(">(")) {
    throw lexer.unclear(
      "not every shell reads this [[ … ]] in the same way",
      "Use [ … ], or quote the operator.",
      openOffset,
    );
  }
  lexer.at += isDouble ? 2 : 1;
}

function checkSegment(lexer: Lexer, words: ShellWord[], mayRun: boolean): void {
  if (words.some((word) => word.isPlain && EVALUATES.has(word.text))) refuseAll(lexer, words, refusedComparison);
  const command = words.slice(words.findIndex((word) => !word.isPlain || word.text !== "!"));
  if (!mayRun || command.length === 0) return;
  lexer.refuse(command[0]!.holes, refusedFirst);
  checkWords(lexer, command);
}
