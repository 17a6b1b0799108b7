import { ClewError } from "../contract/errors.ts";
import { turnNamePattern } from "../contract/turn-values.ts";

/** How a turn's name is made: its number, the line it stands in, and the turn that its line branched from. */
interface NameParts {
  /** Its number among the turns of its line; a branch has that of the turn it was made from. */
  number: number;
  /** The branch that began its line; undefined in the first line. */
  line: string | undefined;
}

/** Each branch adds 11 characters, and a folder's name has at most 255. */
const maxNameChars = 200;
const maxNumber = 9999;

export function isTurnName(name: string): boolean {
  return name.length <= maxNameChars && turnNamePattern.test(name);
}

/** Throws a ClewError when it is no name of a turn. */
export function checkedTurnName(name: string): string {
  if (isTurnName(name)) return name;
  throw new ClewError(
    "invalid_id",
    `${JSON.stringify(name)} is no name of a turn`,
    "turns are called 01, 02, 02-branch-01, 02-branch-01-03; clew session turns lists them",
  );
}

/** The branch that began the line of a turn; undefined in the first line, `01`, `02` and so on. */
export function lineOf(turn: string): string | undefined {
  return partsOf(turn).line;
}

/** The turn that a branch was made from; undefined when it is no branch. */
export function branchedFrom(turn: string): string | undefined {
  return /^(.*)-branch-\d+$/.exec(turn)?.[1];
}

/** The turn that comes after this one in its line: `03`, `02-branch-01-03`. */
export function turnAfter(turn: string): string {
  const { number, line } = partsOf(turn);
  return line === undefined ? twoDigits(number + 1) : named(`${line}-${twoDigits(number + 1)}`);
}

export const firstTurn = "01";

/** The turn before this one in its line, null for the first. A branch stands in the place of the turn that it was made from. */
export function turnBefore(turn: string): string | null {
  const from = branchedFrom(turn);
  if (from !== undefined) return turnBefore(from);
  const { number, line } = partsOf(turn);
  if (line === undefined) return number <= 1 ? null : twoDigits(number - 1);
  return partsOf(line).number === number - 1 ? line : `${line}-${twoDigits(number - 1)}`;
}

/** What the next branch of a turn is called, among those that there are. */
export function nextBranch(turn: string, turns: Iterable<string>): string {
  let last = 0;
  for (const each of turns) {
    if (branchedFrom(each) === turn) last = Math.max(last, Number(each.slice(`${turn}-branch-`.length)));
  }
  return named(`${turn}-branch-${twoDigits(last + 1)}`);
}

/** Orders turns as a reader goes through them: a turn, its branches with all that follows them, then the turn after it. */
export function compareTurns(a: string, b: string): number {
  const [partsA, partsB] = [a, b].map(orderKey) as [number[], number[]];
  for (let at = 0; at < Math.min(partsA.length, partsB.length); at++) {
    if (partsA[at] !== partsB[at]) return partsA[at]! - partsB[at]!;
  }
  return partsA.length - partsB.length;
}

/** Numbers of branches are negative, so that branches come before the turns that follow. */
function orderKey(turn: string): number[] {
  return [...turn.matchAll(/(branch-)?(\d+)/g)].map(([, branch, digits]) =>
    branch === undefined ? Number(digits) : Number(digits) - maxNumber - 1,
  );
}

function partsOf(turn: string): NameParts {
  checkedTurnName(turn);
  const from = branchedFrom(turn);
  if (from !== undefined) return { number: partsOf(from).number, line: turn };
  const [, line, digits] = /^(?:(.*)-)?(\d+)$/.exec(turn)!;
  return { number: Number(digits), line };
}

function twoDigits(number: number): string {
  if (number <= maxNumber) return String(number).padStart(2, "0");
  throw new ClewError("not_possible_now", `a line has at most ${maxNumber} turns`, "clew session new NAME");
}

function named(turn: string): string {
  if (turn.length <= maxNameChars) return turn;
  throw new ClewError(
    "not_possible_now",
    `${turn.slice(0, 40)}… would be too long a name: there are too many branches of branches`,
    "branch from an earlier turn, or begin another session: clew session new NAME",
  );
}
