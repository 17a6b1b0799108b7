import type { ErrorEvent } from "../contract/engine.ts";
import { truncateLine } from "./truncate-line.ts";

/** Lines that are kept: what goes wrong is said at the end. */
const maxLines = 5;
const maxLineChars = 300;

/** The last lines that were no part of the stream: a warning, a stack trace, a log-in that is missing. */
export function createStrayText(): { add(line: string): void; explain(): ErrorEvent[] } {
  const lines: string[] = [];
  return {
    add(line) {
      if (line.trim() === "") return;
      lines.push(truncateLine(line, maxLineChars));
      if (lines.length > maxLines) lines.shift();
    },
    explain: () =>
      lines.length === 0 ? [] : [{ type: "error", message: `it printed what is no event: ${lines.join(" / ")}` }],
  };
}
