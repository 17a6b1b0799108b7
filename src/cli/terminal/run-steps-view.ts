import type { RunDetails } from "../../contract/api/run.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { stepFacts, stepSign } from "./run-words.ts";
import { fit, padTo, widthOf } from "./width.ts";

type Step = RunDetails["steps"][number];

interface Row {
  /** Sign and name, indented. */
  label: string;
  facts: string;
  isDim: boolean;
}

/** Steps as a tree, in the order in which they began: loops hold iterations, iterations steps. */
export function viewSteps(screen: Screen, steps: Step[]): string[] {
  const { colors, width, onTerminal } = screen;
  const rows = rowsOf(screen, steps);
  const labelWidth = rows.reduce(
    (most, { label: left, facts }) => (facts === "" ? most : Math.max(most, widthOf(left))),
    0,
  );
  const room = onTerminal ? Math.max(20, width - labelWidth - 2) : Infinity;
  return rows.map(({ label: left, facts, isDim }) => {
    const padded = facts === "" ? left : padTo(left, labelWidth);
    const label = isDim ? colors.dim(padded) : padded;
    return facts === "" ? label : `${label}  ${colors.dim(fit(facts, room))}`;
  });
}

function rowsOf({ colors }: Screen, steps: Step[]): Row[] {
  const rows: Row[] = [];
  let openIterations: string[] = [];
  for (const { path, attempt, ...step } of steps) {
    const iterations = path.split("/");
    const name = cleanLine(iterations.pop()!);
    iterations.forEach((segment, depth) => {
      if (openIterations[depth] === segment) return;
      // A new iteration closes those of the loops inside it.
      openIterations = iterations.slice(0, depth + 1);
      const number = /\[(\d+)\]$/.exec(segment)?.[1] ?? "";
      rows.push({ label: `${indent(2 * depth + 1)}iteration ${number}`, facts: "", isDim: true });
    });
    openIterations = iterations;
    const title = attempt === 1 ? name : `${name} (attempt ${attempt})`;
    rows.push({
      label: `${indent(2 * iterations.length)}${stepSign(colors, step.status)} ${title}`,
      facts: [step.kind === "loop" ? "loop" : "", stepFacts(step)].filter((fact) => fact !== "").join(" · "),
      isDim: step.status === "skipped",
    });
  }
  return rows;
}

function indent(depth: number): string {
  return "  ".repeat(depth + 1);
}
