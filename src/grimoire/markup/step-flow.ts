import { templateName, type AgentStep, type ScriptStep } from "../../contract/grimoire.ts";
import { isAction } from "./conditions.ts";
import type { BranchBlock, FlowBlock, MarkupBlock } from "./document.ts";

type WorkStep = AgentStep | ScriptStep;

/** A condition below the node that it leaves. */
export interface StepBranch {
  from: string;
  block: BranchBlock;
}

/** A line of the flow names no more nodes. */
const lineLength = 8;

/**
 * The `when` of a step as a condition of the last step before it that always runs; undefined when it has to stand in the step
 * itself. Such a step always runs, so that the condition alone decides.
 */
export function branchOf({ name, when }: WorkStep, before: readonly WorkStep[]): StepBranch | undefined {
  const from = lastSure(before);
  if (!from || typeof when !== "string" || !isPlainAction(when)) return undefined;
  const condition = outcomeIn(when, before) ?? when;
  return { from: from.name, block: { kind: "branch", condition, targets: [name] } };
}

/** In one line, and not to be taken for anything else. */
function isPlainAction(when: string): boolean {
  return isAction(when) && !/[\p{Cc}\p{Zl}\p{Zp}`]/u.test(when) && !when.slice(2, -2).includes("{{");
}

/** `NODE.success` for `{{.NODE.success}}` of a step that always runs. */
function outcomeIn(when: string, before: readonly WorkStep[]): string | undefined {
  const [, name, outcome] = /^\{\{\.([A-Za-z][A-Za-z0-9_]*)\.(success|failed)\}\}$/.exec(when) ?? [];
  const step = before.find((each) => each.when === undefined && templateName(each.name) === name);
  // Of a failure that ends the run, a reader would be warned.
  return step && (outcome === "success" || step.on_fail === "continue") ? `${step.name}.${outcome}` : undefined;
}

function lastSure(steps: readonly WorkStep[]): WorkStep | undefined {
  return steps.findLast(({ when }) => when === undefined);
}

/** How the steps follow each other, for people: the order of the document says the same. */
export function flowBlocks(nodes: readonly { step: WorkStep; branch: StepBranch | undefined }[]): MarkupBlock[] {
  const sure = nodes.flatMap(({ step }) => (step.when === undefined ? [step.name] : []));
  const lines: FlowBlock[] = [];
  for (let at = 0; at < sure.length - 1; at += lineLength - 1) {
    lines.push({ kind: "flow", stages: sure.slice(at, at + lineLength).map((name) => [name]) });
  }
  const shown = lines.filter(({ stages }) => stages[0]![0] !== "Otherwise");
  return shown.length === 0 ? [] : [{ kind: "text", text: "\n" }, ...shown];
}
