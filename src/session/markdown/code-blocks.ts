import { FenceClosings } from "./fence-closings.ts";
import { isBlankLine } from "../../text/blank-line.ts";
import { fenceMark } from "../../text/fence.ts";

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
  let fences: Map<number, number> | undefined;
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
    fences ??= fenceMark(line) && closedFences(lines, place.column);
    const end = fences?.get(at);
    isOpen = end === undefined;
    if (end === undefined) continue;
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

/** For each line that opens a fence: the line that closes it. Looks at each line once, from the last to the first. */
function closedFences(lines: readonly string[], column: number): Map<number, number> {
  const ends = new Map<number, number>();
  const closings = new FenceClosings<number>();
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]!;
    const mark = mayBeCode(line) && !isIndented(line, column) ? fenceMark(line) : undefined;
    if (!mark) continue;
    const end = closings.nearest(mark);
    if (end !== undefined) ends.set(at, end);
    closings.add(mark, at);
  }
  return ends;
}
