import type { Problem } from "../../contract/problem.ts";
import type { LineIndex } from "../text/line-index.ts";

/** A problem whose place is still an offset; lines and columns are worked out for those that are shown. */
export interface Finding {
  offset: number;
  message: string;
  hint?: string | undefined;
  step?: string | undefined;
  severity?: "warning";
}

export type Report = (finding: Finding) => void;

const mostShown = 100;

/**
 * The findings in the order of the file, each once; behind the first hundred only their number. `stepAt` tells in which
 * step an offset lies, for findings of which only the place is known.
 */
export function toProblems(
  findings: readonly Finding[],
  file: string,
  lines: LineIndex,
  stepAt: (offset: number) => string | undefined,
): Problem[] {
  const sorted = withoutRepeats(findings).sort((a, b) => a.offset - b.offset);
  const problems = sorted.slice(0, mostShown).map((finding): Problem => {
    const { offset, message, hint, severity } = finding;
    const step = finding.step ?? stepAt(offset);
    return {
      severity: severity ?? "error",
      file,
      ...lines.placeOf(offset),
      ...(step !== undefined && { step }),
      message,
      ...(hint !== undefined && { hint }),
    };
  });
  const rest = sorted.slice(mostShown);
  if (rest.length === 0) return problems;
  const severity = rest.every((finding) => finding.severity === "warning") ? "warning" : "error";
  return [...problems, { severity, file, ...lines.placeOf(rest[0]!.offset), message: `and ${rest.length} more` }];
}

/** What an alias repeats is read several times, but stands in one place. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [`${finding.offset} ${finding.message}`, finding])).values()];
}
