import type { EmptyLine } from "../../../contract/api/turn.ts";

const mostWarnings = 10;

/** Tells which lines of which lists bring in nothing, so that a mistyped path is seen before the answer. */
export function emptyLineWarnings(empty: readonly EmptyLine[], after: string | null): string[] {
  const told = empty.slice(0, mostWarnings).map(({ level, line, text, why }) => {
    const place = line > 0 && (level === "global" || level === "session") ? `:${line}` : "";
    return `${listOf(level, after)}${place}: ${text} ${why}`;
  });
  const rest = empty.length - told.length;
  return rest > 0 ? [...told, `${rest} more lines bring in nothing: clew session context shows them`] : told;
}

function listOf(level: EmptyLine["level"], after: string | null): string {
  if (level === "global") return ".clew/global.context";
  if (level === "session") return "session.context";
  return level === "vault" ? `the Context Vault of turn ${after}` : `${level.toUpperCase()} of turn ${after}`;
}
