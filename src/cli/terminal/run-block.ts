import type { Screen } from "../context.ts";
import { clean } from "./clean.ts";
import { count } from "./words.ts";
import { wrap } from "./wrap.ts";
import { trimEndOf } from "../../text/trim.ts";

interface BlockOptions {
  indent: number;
  /** Stands before each line, so that the text is not taken for Clew's own words. */
  bar: string;
  /** Lines beyond this are only counted. */
  mostLines?: number;
}

/** A text from outside beside a bar; `┊` stands before the rest of a line that is wider than the terminal. */
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
