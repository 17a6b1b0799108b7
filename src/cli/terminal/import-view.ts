import type { ImportResult } from "../../contract/api/import.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { number } from "./time.ts";

/** So many ids and problems are shown; `--json` has all. */
const maxShown = 10;

/** What an import came to. */
export function viewImport(
  { colors }: Screen,
  { imported, continued, unchanged, skipped, sessions }: ImportResult,
  isDryRun: boolean,
): string {
  const counts = [
    ...(imported > 0 ? [`${number(imported)} ${isDryRun ? "to import" : "imported"}`] : []),
    ...(continued > 0 ? [`${number(continued)} ${isDryRun ? "to continue" : "continued"}`] : []),
    ...(unchanged > 0 ? [`${number(unchanged)} unchanged`] : []),
  ];
  const lines = [counts.length === 0 ? "Nothing to import" : `Sessions: ${counts.join(", ")}`];
  lines.push(...firstLines(sessions.map((id) => `  ${id}`)));
  if (skipped.length > 0) {
    lines.push(`Left out: ${number(skipped.length)}`);
    lines.push(
      ...firstLines(skipped.map(({ path, reason }) => `  ${colors.dim(cleanLine(path))}: ${cleanLine(reason)}`)),
    );
  }
  if (!isDryRun && sessions.length > 0) lines.push("Next: clew session list --kind import");
  return lines.join("\n");
}

function firstLines(lines: string[]): string[] {
  return lines.length <= maxShown
    ? lines
    : [...lines.slice(0, maxShown), `  … and ${number(lines.length - maxShown)} more`];
}
