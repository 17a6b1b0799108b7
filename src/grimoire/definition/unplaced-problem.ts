import type { Problem } from "../../contract/problem.ts";
import type { LineIndex } from "../text/line-index.ts";

/** A problem whose place is still an offset: only problems that are shown need a line and a column. */
export interface UnplacedProblem {
  offset: number;
  message: string;
  hint?: string | undefined;
  step?: string | undefined;
  severity?: "warning";
}

export type Report = (finding: UnplacedProblem) => void;

const maxProblems = 100;

/**
 * The findings in the order of the file, each once; of those behind the first hundred only the number. `stepAt` returns
 * the step around an offset, for findings that name no step.
 */
export function toProblems(
  findings: readonly UnplacedProblem[],
  file: string,
  lines: LineIndex,
  stepAt: (offset: number) => string | undefined,
): Problem[] {
  const sorted = uniqueFindings(findings).sort((a, b) => a.offset - b.offset);
  const problems = sorted.slice(0, maxProblems).map((finding): Problem => {
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
  const rest = sorted.slice(maxProblems);
  if (rest.length === 0) return problems;
  const severity = rest.every((finding) => finding.severity === "warning") ? "warning" : "error";
  return [...problems, { severity, file, ...lines.placeOf(rest[0]!.offset), message: `and ${rest.length} more` }];
}

/** What an alias repeats is checked several times, but is written in one place. */
function uniqueFindings(findings: readonly UnplacedProblem[]): UnplacedProblem[] {
  return [...new Map(findings.map((finding) => [`${finding.offset} ${finding.message}`, finding])).values()];
}
