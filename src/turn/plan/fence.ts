import { isTilde, marginFence } from "../../text/fence.ts";
import type { Spot } from "./findings.ts";

/** A line that begins or ends a fence: at least three tildes or backticks, after three spaces at most. */
export interface FenceLine {
  sign: "~" | "`";
  length: number;
  /** Spaces before it. */
  indent: number;
  /** What stands behind it, such as `shell`. Only a line without it ends a fence. */
  info: string;
}

/** A fence with what is in it. */
export interface FenceBlock extends Spot {
  kind: "fence";
  info: string;
  content: string[];
  /** It has no end, which was reported. */
  isBroken: boolean;
}

/** Undefined when the line is no fence. */
export function fenceLine(line: string): FenceLine | undefined {
  const mark = marginFence(line);
  if (!mark) return undefined;
  const { signs, indent, info } = mark;
  return { sign: isTilde(mark) ? "~" : "`", length: signs.length, indent, info: info.trim() };
}

/** The usual length of a plan's fences. Code with three backticks or tildes nests. */
const usualLength = 6;

/** A text between tildes, of which there are more than in any line inside. Reads back as the same lines. */
export function fenced(lines: readonly string[], info = ""): string[] {
  let length = usualLength;
  for (const line of lines) {
    const inside = fenceLine(line);
    if (inside?.sign === "~" && inside.length >= length) length = inside.length + 1;
  }
  const fence = "~".repeat(length);
  return [`${fence}${info}`, ...lines, fence];
}
