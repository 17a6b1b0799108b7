import { isBlank, lineAfter } from "./lines.ts";
import { fenceMark, type FenceMark } from "../text/fence.ts";
import { FenceClosings } from "./markdown/fence-closings.ts";
import { addToList } from "../text/add-to-list.ts";

/**
 * Where fences end. Each class looks at the lines behind its first fence once, and has the answers for all others: to
 * search anew for every unclosed fence would take quadratic time.
 */

export interface OpenFence {
  mark: string;
  at: number;
}

const less = 60;
const backtick = 96;
const tilde = 126;

/**
 * Fences at the margin. An unclosed one is text: it must not swallow what follows. Nor may it be closed by a
 * fence of Clew's own, so the search ends where Clew wrote a phase or a task list.
 */
export class Fences {
  /** The last fence that was asked for and not closed. */
  unclosed: OpenFence | undefined;
  readonly #text: string;
  #ends: Map<number, number> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the fence ends that this line opens; -1 when it opens none. Asked from the beginning of the text to its end. */
  endOf(at: number, lineEnd: number): number {
    const mark = markAt(this.#text, at, lineEnd);
    if (!mark) return -1;
    this.#ends ??= fenceEnds(this.#text, at);
    const end = this.#ends.get(at) ?? -1;
    if (end < 0) this.unclosed = { mark: mark.signs, at };
    return end;
  }
}

/** For each line from `from` on that opens a fence which is closed: where that ends. */
function fenceEnds(text: string, from: number): Map<number, number> {
  const lines: number[] = [];
  for (let at = from; at < text.length; at = lineAfter(text, at)) {
    const code = text.charCodeAt(at);
    if (code === backtick || code === tilde || code === less) lines.push(at);
  }
  const ends = new Map<number, number>();
  const closings = new FenceClosings<{ at: number; end: number }>();
  let nextOwnBlock = text.length;
  for (const at of lines.toReversed()) {
    const end = lineAfter(text, at);
    const mark = markAt(text, at, end);
    const close = mark && closings.nearest(mark);
    // A longer fence may show Clew's own lines on purpose.
    if (close && (mark.signs.length > 3 || close.at < nextOwnBlock)) ends.set(at, close.end);
    if (mark) closings.add(mark, { at, end });
    if (isOwnBlock(text, at, end)) nextOwnBlock = at;
  }
  return ends;
}

/** The mark of a fence that stands right at `at`. */
function markAt(text: string, at: number, lineEnd: number): FenceMark | undefined {
  const code = text.charCodeAt(at);
  if (code !== backtick && code !== tilde) return undefined;
  return fenceMark(text.slice(at, text.charCodeAt(lineEnd - 1) === 10 ? lineEnd - 1 : lineEnd));
}

function isOwnBlock(text: string, at: number, end: number): boolean {
  return text.startsWith('<!-- clew {"id":', at) || (text.startsWith("```tasks", at) && isBlank(text, at + 8, end));
}

/** Fences below a tool call: indented by two, and closed by exactly the same mark. */
export class IndentedFences {
  readonly #text: string;
  #ends: Map<string, number[]> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the fence ends that this line opens; -1 when it opens none. Asked from the beginning of the text to its end. */
  endOf(at: number, lineEnd: number): number {
    const mark = indentedAt(this.#text, at, lineEnd)?.signs;
    if (mark === undefined) return -1;
    this.#ends ??= indentedEnds(this.#text, lineEnd);
    const ends = this.#ends.get(mark) ?? [];
    while (ends.length > 0 && ends.at(-1)! <= lineEnd) ends.pop();
    return ends.at(-1) ?? -1;
  }
}

function indentedAt(text: string, at: number, lineEnd: number): FenceMark | undefined {
  return text.startsWith("  ", at) ? markAt(text, at + 2, lineEnd) : undefined;
}

/** For each mark that stands alone on an indented line from `from` on: where such lines end, the first of them last. */
function indentedEnds(text: string, from: number): Map<string, number[]> {
  const endsByMark = new Map<string, number[]>();
  for (let at = from, end = 0; at < text.length; at = end) {
    end = lineAfter(text, at);
    const mark = indentedAt(text, at, end);
    if (mark?.info === "") addToList(endsByMark, mark.signs, end);
  }
  for (const ends of endsByMark.values()) ends.reverse();
  return endsByMark;
}
