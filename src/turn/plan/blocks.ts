import type { Findings, Spot } from "./findings.ts";
import { fenceLine, type FenceBlock } from "./fence.ts";
import { FenceIndex } from "./fence-index.ts";
import { headingLine } from "./plain-words.ts";

/** A piece of a plan. Lines count from 0. */
export type Block = Spot &
  (
    | { kind: "heading"; level: number; text: string }
    /** A bullet, with the indented lines below it. */
    | { kind: "item"; text: string }
    | { kind: "text"; text: string }
    | FenceBlock
  );

/** A fence around the whole plan: its length, and where it begins. */
export interface OuterFence extends Spot {
  sign: string;
  length: number;
}

/**
 * Cuts a plan from `start` on into its pieces, in one pass. A fence that has no end is reported, and taken to end at the next heading of
 * a part, so that the rest is read as it was meant.
 */
export function scanBlocks(
  lines: readonly string[],
  start: number,
  outer: OuterFence | undefined,
  findings: Findings,
): Block[] {
  const fences = new FenceIndex(lines);
  const blocks: Block[] = [];
  let isOuterOpen = outer !== undefined;
  let at = start;
  while (at < lines.length) {
    const fence = fences.at(at);
    if (fence) {
      if (outer && isOuterOpen && fence.info === "" && fences.next(at) === undefined && closes(outer, fence)) {
        isOuterOpen = false;
        break;
      }
      const { block, next } = fences.read(at, findings);
      blocks.push(block);
      at = next;
    } else at = scanLine(lines, at, blocks);
  }
  const last = blocks.at(-1);
  const isCutOff = last?.kind === "fence" && last.isBroken;
  if (outer && isOuterOpen && !isCutOff) {
    const end = outer.sign.repeat(outer.length);
    findings.error(outer, "the fence around the plan is never closed", `a line ${end} behind the plan's last line`);
  }
  return blocks;
}

function closes(outer: OuterFence, fence: { sign: string; length: number }): boolean {
  return fence.sign === outer.sign && fence.length >= outer.length;
}

/** Adds what stands in a line and returns the next one. */
function scanLine(lines: readonly string[], at: number, blocks: Block[]): number {
  const line = lines[at]!;
  const text = line.trim();
  if (text === "" || isRule(text)) return at + 1;
  const offset = line.indexOf(text);
  const heading = headingLine(line);
  if (heading) {
    blocks.push({ kind: "heading", level: heading.level, text: heading.text, line: at, offset: heading.offset });
    return at + 1;
  }
  if (!isBullet(text)) {
    blocks.push({ kind: "text", text, line: at, offset });
    return at + 1;
  }
  const parts = [text.slice(1).trim()];
  let next = at + 1;
  for (; next < lines.length && continuesItem(lines[next]!); next++) parts.push(lines[next]!.trim());
  blocks.push({ kind: "item", text: parts.join(" "), line: at, offset: line.indexOf(parts[0]!, offset + 1) });
  return next;
}

function isBullet(text: string): boolean {
  return (text[0] === "-" || text[0] === "*" || text[0] === "+") && (text[1] === " " || text[1] === "\t");
}

/** `---` and the like, which models put between parts. */
function isRule(text: string): boolean {
  return text.length < 100 && /^(?:-{3,}|\*{3,}|_{3,}|={3,})$/.test(text);
}

/** An indented line below a bullet, that begins nothing else. */
function continuesItem(line: string): boolean {
  if (!/^(?:\t| {2})/.test(line)) return false;
  const text = line.trim();
  return text !== "" && !isBullet(text) && !fenceLine(text) && !headingLine(text);
}
