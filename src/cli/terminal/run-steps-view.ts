import type { RunDetails } from "../../contract/api/run.ts";
import { cleanLine } from "./clean.ts";
import { stepFacts, stepMark, type Look } from "./run-words.ts";
import { fit, padTo, widthOf } from "./width.ts";

type Step = RunDetails["steps"][number];

interface Row {
  /** Mark and name, indented. */
  left: string;
  facts: string;
  isDim: boolean;
}

/** Steps as a tree, in the order in which they began: loops hold iterations, iterations steps. */
export function viewSteps(look: Look, steps: Step[]): string[] {
  const { colors, width, onTerminal } = look;
  const rows = rowsOf(look, steps);
  const leftWidth = rows.reduce((most, { left, facts }) => (facts === "" ? most : Math.max(most, widthOf(left))), 0);
  const room = onTerminal ? Math.max(20, width - leftWidth - 2) : Infinity;
  return rows.map(({ left, facts, isDim }) => {
    const padded = facts === "" ? left : padTo(left, leftWidth);
    const shown = isDim ? colors.dim(padded) : padded;
    return facts === "" ? shown : `${shown}  ${colors.dim(fit(facts, room))}`;
  });
}

function rowsOf({ colors }: Look, steps: Step[]): Row[] {
  const rows: Row[] = [];
  let around: string[] = [];
  for (const { path, attempt, ...step } of steps) {
    const iterations = path.split("/");
    const name = cleanLine(iterations.pop()!);
    iterations.forEach((segment, depth) => {
      if (around[depth] === segment) return;
      // Whatever is inside begins anew with its loop's iteration.
      around = iterations.slice(0, depth + 1);
      const number = /\[(\d+)\]$/.exec(segment)?.[1] ?? "";
      rows.push({ left: `${indent(2 * depth + 1)}iteration ${number}`, facts: "", isDim: true });
    });
    around = iterations;
    const title = attempt === 1 ? name : `${name} (attempt ${attempt})`;
    rows.push({
      left: `${indent(2 * iterations.length)}${stepMark(colors, step.status)} ${title}`,
      facts: [step.kind === "loop" ? "loop" : "", stepFacts(step)].filter((fact) => fact !== "").join(" · "),
      isDim: step.status === "skipped",
    });
  }
  return rows;
}

function indent(depth: number): string {
  return "  ".repeat(depth + 1);
}
