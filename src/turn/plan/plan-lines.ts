import type { OuterFence } from "./blocks.ts";
import { fenceLine } from "./fence.ts";
import { FenceIndex } from "./fence-index.ts";
import { headingLine, parseSectionName } from "./plain-words.ts";

/**
 * The lines of a plan. Where all of them end in CRLF, the plan as a whole was written so, and its contents are meant without; else a
 * carriage return belongs to the content that it stands in.
 */
export function planLines(text: string): string[] {
  const lines = (text.startsWith("\uFEFF") ? text.slice(1) : text).split("\n");
  const ended = lines.length - 1;
  if (ended > 0 && lines.every((line, index) => index === ended || line.endsWith("\r")))
    return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  return lines;
}

/** Where the plan begins: models write text before it, or put all of it into a fence. */
export function findStart(lines: readonly string[]): { start: number; outer?: OuterFence } {
  return findHeading(lines, (heading) => heading.level === 1) ?? findHeading(lines, isSection) ?? { start: 0 };
}

type Heading = NonNullable<ReturnType<typeof headingLine>>;

function isSection({ level, text }: Heading): boolean {
  return level === 2 && parseSectionName(text) !== undefined;
}

/** The first heading that fits, not inside a fence, but for one around all. */
function findHeading(
  lines: readonly string[],
  fits: (heading: Heading) => boolean,
): { start: number; outer?: OuterFence } | undefined {
  let fences: FenceIndex | undefined;
  for (let at = 0; at < lines.length; at++) {
    const heading = headingLine(lines[at]!);
    if (heading && fits(heading)) return { start: at };
    const fence = fenceLine(lines[at]!);
    if (!fence) continue;
    fences ??= new FenceIndex(lines);
    let inside = at + 1;
    while (inside < lines.length && lines[inside]!.trim() === "") inside++;
    const first = headingLine(lines[inside] ?? "");
    if (first && fits(first) && fences.holdsPart(at)) {
      const { sign, length, indent } = fence;
      return { start: inside, outer: { sign, length, line: at, offset: indent } };
    }
    const end = fences.next(at);
    if (end !== undefined && fences.at(end)!.info === "") at = end;
  }
  return undefined;
}
