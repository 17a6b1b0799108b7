import { fenceLine, type FenceBlock, type FenceLine } from "./fence.ts";
import type { Findings } from "./findings.ts";
import { beginsPart, editLabel, headingLine } from "./plain-words.ts";
import { readKey } from "./read-key.ts";

/**
 * All lines of a text that may begin or end a fence, with the next one of the same sign that is as long. Made once, so that no fence
 * looks through the rest of the text.
 */
export class FenceIndex {
  readonly #lines: readonly string[];
  readonly #fences = new Map<number, FenceLine>();
  /** By the line of a fence: the next line of the same sign and at least its length. */
  readonly #nextAsLong = new Map<number, number>();
  /** By line: the next one, from it on, that begins a part of a plan. */
  readonly #nextPart: Int32Array;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
    this.#nextPart = new Int32Array(lines.length + 1).fill(lines.length);
    const open: Record<string, number[]> = { "~": [], "`": [] };
    for (let at = lines.length - 1; at >= 0; at--) {
      const line = lines[at]!;
      const sign = firstSign(line);
      this.#nextPart[at] = sign === "#" && beginsPart(line) ? at : this.#nextPart[at + 1]!;
      const fence = sign === "~" || sign === "`" ? fenceLine(line) : undefined;
      if (!fence) continue;
      this.#fences.set(at, fence);
      const longer = open[fence.sign]!;
      while (longer.length > 0 && this.#fences.get(longer.at(-1)!)!.length < fence.length) longer.pop();
      const next = longer.at(-1);
      if (next !== undefined) this.#nextAsLong.set(at, next);
      longer.push(at);
    }
  }

  at(line: number): FenceLine | undefined {
    return this.#fences.get(line);
  }

  /** The line that ends the fence of a line; or, with something behind it, begins another one that is as long. */
  next(line: number): number | undefined {
    return this.#nextAsLong.get(line);
  }

  /** Whether a part of a plan begins behind a fence's line, before one that may end it. */
  holdsPart(line: number): boolean {
    const part = this.#nextPart[line + 1]!;
    return part < (this.#nextAsLong.get(line) ?? this.#lines.length);
  }

  /** Reads the fence that begins at a line, and tells where to go on. */
  read(start: number, findings: Findings): { block: FenceBlock; next: number } {
    const fence = this.#fences.get(start)!;
    const end = this.#nextAsLong.get(start);
    const mistake = this.#mistake(start, fence, end);
    if (mistake !== undefined) {
      findings.error({ line: start, offset: fence.indent }, ...mistake);
      const next = this.#nextPart[start + 1]!;
      return { block: this.#block(start, fence, next, true), next };
    }
    return { block: this.#block(start, fence, end!, false), next: end! + 1 };
  }

  #block(start: number, { indent, info }: FenceLine, end: number, isBroken: boolean): FenceBlock {
    const inside = this.#lines.slice(start + 1, end);
    const content = indent === 0 ? inside : inside.map((line) => withoutIndent(line, indent));
    return { kind: "fence", info, content, isBroken, line: start, offset: indent };
  }

  /** Why a fence that begins here cannot be meant to end where it does; undefined when it can. */
  #mistake(start: number, fence: FenceLine, end: number | undefined): [message: string, expected: string] | undefined {
    const { sign, length } = fence;
    const part = this.#nextPart[start + 1]!;
    const isEnd = end !== undefined && this.#fences.get(end)!.info === "";
    // A part of the plan may stand in a fence, as an example; but then the fence's end fits what follows.
    if (isEnd && (part > end || this.#fitsAfter(end))) return undefined;
    if (end !== undefined && part > end) {
      const message = `the fence that begins here has another one inside, in line ${end + 1}, that is as long`;
      return [message, `a fence with more signs than any inside: ${signsOf(sign, length + 1)}`];
    }
    const expected = `a line ${signsOf(sign, length)} behind the last line of the content`;
    const shorter = this.#shorter(start, sign, part);
    if (shorter !== undefined) {
      const message = `the fence that begins here has ${length} signs, and the one of line ${shorter + 1}, which should close it, has fewer`;
      return [message, expected];
    }
    const swallowed = part < this.#lines.length ? ` before the heading of line ${part + 1}` : "";
    return [`the fence that begins here is not closed${swallowed}`, expected];
  }

  /** The first line before `end` that looks like the end of a fence, but for its length. */
  #shorter(start: number, sign: string, end: number): number | undefined {
    for (let at = start + 1; at < end; at++) {
      const fence = this.#fences.get(at);
      if (fence && fence.sign === sign && fence.info === "") return at;
    }
    return undefined;
  }

  /** Whether what stands behind a fence's end may stand there: a heading, a key, the plan's end. */
  #fitsAfter(end: number): boolean {
    let at = end + 1;
    while (at < this.#lines.length && this.#lines[at]!.trim() === "") at++;
    const line = this.#lines[at];
    if (line === undefined || headingLine(line)) return true;
    const text = line.trim();
    return (
      editLabel(text) !== undefined || readKey(text) !== undefined || this.#fences.has(at) || text.startsWith("---")
    );
  }
}

/** The first character behind three spaces at most: most lines are ruled out by it. */
function firstSign(line: string): string | undefined {
  let at = 0;
  while (at < 3 && line[at] === " ") at++;
  return line[at];
}

function withoutIndent(line: string, indent: number): string {
  let start = 0;
  while (start < indent && line[start] === " ") start++;
  return line.slice(start);
}

function signsOf(sign: string, length: number): string {
  return length > 40 ? `of ${length} × ${sign}` : sign.repeat(length);
}
