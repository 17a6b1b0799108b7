import { grimoireLimits } from "../../contract/grimoire-schema.ts";
import type { Report } from "./finding.ts";
import type { WrittenStep } from "./step-walk.ts";
import type { YamlTree } from "./yaml-tree.ts";

/** Rules that concern a step and where it stands. */
export function checkSteps(steps: readonly WrittenStep[], tree: YamlTree, report: Report): void {
  const oneTooMany = steps[grimoireLimits.steps];
  if (oneTooMany) {
    const message = `more than ${grimoireLimits.steps} steps`;
    report({ offset: tree.offsetOf(oneTooMany.path), step: oneTooMany.label, message });
  }
  for (const step of steps) {
    checkPlace(step, tree, report);
    checkWhen(step, tree, report);
    checkMerge(step, tree, report);
    if ("requires" in step.fields) {
      const offset = tree.keyOffsetOf([...step.path, "requires"]);
      const message = "requires is reserved: gates are not checked yet";
      report({ severity: "warning", offset, step: step.label, message });
    }
  }
}

function checkPlace({ path, label, fields, depth }: WrittenStep, tree: YamlTree, report: Report): void {
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

/** Nobody should believe that the merge itself is limited. */
function checkMerge({ path, label, fields }: WrittenStep, tree: YamlTree, report: Report): void {
  if (fields["type"] !== "merge" || "verify" in fields) return;
  for (const key of ["shell", "timeout"].filter((each) => each in fields)) {
    const message = `${key}: belongs to the verify of a merge step, and there is none`;
    const hint = `add verify: COMMAND, or remove ${key}`;
    report({ offset: tree.keyOffsetOf([...path, key]), step: label, message, hint });
  }
}

/** Quotes make `true` a text, and a text without a template is no condition. Other texts are checked as templates. */
function checkWhen({ path, label, fields }: WrittenStep, tree: YamlTree, report: Report): void {
  const { when } = fields;
  if (typeof when !== "string" || !/^\s*(?:true|false)\s*$/i.test(when)) return;
  const message = `when: must be true, false or a template, not the text ${JSON.stringify(when)}`;
  const hint = `drop the quotes: when: ${when.trim().toLowerCase()}`;
  report({ offset: tree.offsetOf([...path, "when"]), step: label, message, hint });
}
