import type { Screen } from "../context.ts";
import { clean } from "./clean.ts";
import { count } from "./words.ts";
import { wrap } from "./wrap.ts";
import { trimEndOf } from "../../text/trim.ts";

export interface BlockOptions {
  indent: number;
  /** What stands before each line: it cannot be taken for Clew's own words. */
  bar: string;
  /** Lines beyond this are only counted. */
  mostLines?: number;
}

/** A foreign text beside a bar; `┊` goes on with a line that is longer than the terminal is wide. */
export function block({ colors, width, onTerminal }: Screen, text: string, options: BlockOptions): string[] {
  const { indent, bar, mostLines = Infinity } = options;
  const room = onTerminal ? Math.max(40, width - indent - 2) : Infinity;
  const margin = " ".repeat(indent);
  const lines = trimEndOf(clean(text), "\n").split("\n");
  const output = lines
    .slice(0, mostLines)
    .flatMap((line) =>
      wrap(line, room).map((piece, at) => `${margin}${at === 0 ? bar : colors.dim("┊")} ${piece}`.trimEnd()),
    );
  const hiddenCount = lines.length - Math.min(lines.length, mostLines);
  if (hiddenCount > 0) output.push(`${margin}${colors.dim(`… ${count(hiddenCount, "more line")}`)}`);
  return output;
}
