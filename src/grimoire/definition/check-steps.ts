import { grimoireLimits } from "../../contract/grimoire-schema.ts";
import { checkGates } from "./check-gates.ts";
import type { Report } from "./unplaced-problem.ts";
import type { WrittenStep } from "./step-walk.ts";
import type { PlacedTree } from "./yaml-tree.ts";

/** Rules that concern a step and where it stands. */
export function checkSteps(steps: readonly WrittenStep[], tree: PlacedTree, report: Report): void {
  const excessStep = steps[grimoireLimits.steps];
  if (excessStep) {
    const message = `more than ${grimoireLimits.steps} steps`;
    report({ offset: tree.offsetOf(excessStep.path), step: excessStep.label, message });
  }
  for (const step of steps) {
    checkPlace(step, tree, report);
    checkWhen(step, tree, report);
    checkMerge(step, tree, report);
    checkGates(step, tree, report);
  }
}

function checkPlace({ path, label, fields, depth }: WrittenStep, tree: PlacedTree, report: Report): void {
  if (fields["type"] === "loop" && depth === grimoireLimits.loopDepth) {
    const message = `loops are nested too deeply: at most ${grimoireLimits.loopDepth} levels`;
    report({ offset: tree.offsetOf(path), step: label, message });
  }
  if (depth > 0) return;
  for (const [key, value] of [
    ["on_success", "exit_loop"],
    ["on_changes", "continue"],
  ] as const) {
    if (fields[key] !== value) continue;
    const message = `${key}: ${value} stands outside a loop`;
    const hint = `move the step into a loop, or remove ${key}`;
    report({ offset: tree.offsetOf([...path, key]), step: label, message, hint });
  }
}

/** Without verify, shell and timeout have no effect: they do not limit the merge itself. */
function checkMerge({ path, label, fields }: WrittenStep, tree: PlacedTree, report: Report): void {
  if (fields["type"] !== "merge" || "verify" in fields) return;
  for (const key of ["shell", "timeout"].filter((each) => each in fields)) {
    const message = `${key}: belongs to the verify of a merge step, and there is none`;
    const hint = `add verify: COMMAND, or remove ${key}`;
    report({ offset: tree.keyOffsetOf([...path, key]), step: label, message, hint });
  }
}

/** In quotes, `true` is a text, and only a template is a text that can be a condition. Templates are checked later. */
function checkWhen({ path, label, fields }: WrittenStep, tree: PlacedTree, report: Report): void {
  const { when } = fields;
  if (typeof when !== "string" || !/^\s*(?:true|false)\s*$/i.test(when)) return;
  const message = `when: must be true, false or a template, not the text ${JSON.stringify(when)}`;
  const hint = `drop the quotes: when: ${when.trim().toLowerCase()}`;
  report({ offset: tree.offsetOf([...path, "when"]), step: label, message, hint });
}
