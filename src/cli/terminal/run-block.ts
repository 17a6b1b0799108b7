import { clean } from "./clean.ts";
import type { Look } from "./run-words.ts";
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
export function block({ colors, width, onTerminal }: Look, text: string, options: BlockOptions): string[] {
  const { indent, bar, mostLines = Infinity } = options;
  const room = onTerminal ? Math.max(40, width - indent - 2) : Infinity;
  const margin = " ".repeat(indent);
  const lines = trimEndOf(clean(text), "\n").split("\n");
  const shown = lines
    .slice(0, mostLines)
    .flatMap((line) =>
      wrap(line, room).map((piece, at) => `${margin}${at === 0 ? bar : colors.dim("┊")} ${piece}`.trimEnd()),
    );
  const left = lines.length - Math.min(lines.length, mostLines);
  if (left > 0) shown.push(`${margin}${colors.dim(`… ${left} more ${left === 1 ? "line" : "lines"}`)}`);
  return shown;
}
