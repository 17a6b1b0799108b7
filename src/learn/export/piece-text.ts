import type { Piece } from "../../contract/api/learn.ts";
import { failureText } from "../cases/failure-text.ts";

/** Entries as plain text, for models. What tools were called with and what they answered stands as it was logged. */
export function piecesText(pieces: readonly Piece[]): string {
  return pieces
    .map(({ entry }) => entryText(entry))
    .filter((text) => text !== "")
    .join("\n\n");
}

function entryText(entry: Piece["entry"]): string {
  switch (entry.kind) {
    case "tool": {
      const output = failureText(entry);
      const call = entry.args === "" ? `[${entry.name}]` : `[${entry.name}] ${entry.args}`;
      return `${call}${output === "" && !entry.failed ? "" : `\n→ ${entry.failed ? "failed: " : ""}${output}`}`.trimEnd();
    }
    case "user":
      return `The user said: ${entry.text}`;
    case "error":
      return `Error: ${entry.text}`;
    case "subagent":
      return `[subagent ${entry.agent}] ${entry.summary ?? entry.content ?? ""}`.trim();
    case "tokens":
    case "remark":
      return "";
    default:
      return entry.text;
  }
}
