import { fenceMark, isBlankLine, isTilde, type FenceMark } from "./fence-mark.ts";

/** Where a piece of data stands, as far as markdown's blocks depend on it. */
export interface BlockPlace {
  /** Columns before each line: 2 behind `> `. Tabs depend on it. */
  column: number;
  /** The first line goes on with a paragraph, so that it cannot be code by its indentation. */
  continues: boolean;
  /** The first line stands behind other words, so that nothing can begin there but text. */
  isInline: boolean;
}

const space = 32;
const tab = 9;
const backtick = 96;
const tilde = 126;

/** Which lines are code: closed fences with all that is in them, and indented blocks. Undefined when none is. */
export function codeLines(lines: readonly string[], place: BlockPlace): boolean[] | undefined {
  let code: boolean[] | undefined;
  let closings: Closings | undefined;
  let isOpen = place.continues || place.isInline;
  for (let at = place.isInline ? 1 : 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (line !== "" && !mayBeCode(line)) {
      isOpen = true;
      continue;
    }
    if (isBlankLine(line)) {
      isOpen = false;
      continue;
    }
    if (isIndented(line, place.column)) {
      if (!isOpen) (code ??= lines.map(() => false))[at] = true;
      continue;
    }
    const mark = fenceMark(line);
    closings ??= mark ? closingsOf(lines, place.column) : undefined;
    const end = mark ? endOf(mark, at, closings!) : -1;
    isOpen = end < 0;
    if (end < 0) continue;
    code ??= lines.map(() => false);
    code.fill(true, at, end + 1);
    at = end;
  }
  return code;
}

/** Nearly every line begins with something that can be neither fence nor indentation. */
function mayBeCode(line: string): boolean {
  const first = line.charCodeAt(0);
  return first === space || first === tab || first === backtick || first === tilde;
}

/** Four columns or more. */
export function isIndented(line: string, from: number): boolean {
  let column = from;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === tab) column += 4 - (column % 4);
    else if (code === space) column++;
    else break;
    if (column - from >= 4) return true;
  }
  return false;
}

/** Lengths of marks that can close a fence, by line, and the longest of them from each line on. */
interface Closings {
  marks: (FenceMark | undefined)[];
  longest: { ticks: number; tildes: number }[];
}

function closingsOf(lines: readonly string[], column: number): Closings {
  const marks = lines.map((line) => {
    if (!mayBeCode(line)) return undefined;
    const mark = isIndented(line, column) ? undefined : fenceMark(line);
    return mark?.isBare ? mark : undefined;
  });
  const longest: Closings["longest"] = [];
  let ticks = 0;
  let tildes = 0;
  for (let at = lines.length - 1; at >= 0; at--) {
    const mark = marks[at];
    if (mark && isTilde(mark)) tildes = Math.max(tildes, mark.signs.length);
    else if (mark) ticks = Math.max(ticks, mark.signs.length);
    longest[at] = { ticks, tildes };
  }
  return { marks, longest };
}

/** The line that closes the fence opened at `at`; -1 when none does. Looks only where there is one. */
function endOf(open: FenceMark, at: number, { marks, longest }: Closings): number {
  const longestBelow = longest[at + 1];
  if (!longestBelow || (isTilde(open) ? longestBelow.tildes : longestBelow.ticks) < open.signs.length) return -1;
  let end = at + 1;
  while (!marks[end]?.signs.startsWith(open.signs)) end++;
  return end;
}
