import type { Gate } from "../../contract/gate.ts";
import { defaultMergeStrategy } from "../../contract/grimoire-values.ts";
import {
  allSteps,
  liveSteps,
  type AgentStep,
  type Json,
  type LoopStep,
  type MergeStep,
  type ScriptStep,
  type Step,
} from "../../contract/grimoire.ts";
import { fenceAround } from "../../text/fence.ts";
import { asLine } from "./as-line.ts";

/** A step of a skill: its heading with what it says, and the steps in it. */
export interface SkillStep {
  title: string;
  lines: string[];
  steps: SkillStep[];
}

/** The steps that run, in words for an agent. */
export function skillSteps(steps: readonly Step[]): SkillStep[] {
  return steps
    .filter(({ when }) => when !== false)
    .map((step) => ({
      title: words(step.name),
      lines: [...condition(step), ...linesOf(step)],
      steps: step.type === "loop" ? skillSteps(step.steps) : [],
    }));
}

/** Fields for the program that runs a workflow, and not for an agent that follows it. */
const programFields = { agent: "agent", engine: "engine", model: "model", timeout_ms: "timeout", detach: "detach" };

/** What a skill does not say of a workflow: steps that do not run, and fields that it has no words for. */
export function skillLosses(steps: Step[]): string[] {
  const live = [...liveSteps(steps)];
  const idle = [...allSteps(steps)].filter((step) => !live.includes(step)).map(({ name }) => name);
  const fields = Object.entries(programFields).flatMap(([field, name]) => {
    const having = live.filter((step) => field in step).map((step) => step.name);
    return having.length === 0 ? [] : [`the ${name} of ${having.join(", ")}`];
  });
  return [
    ...(idle.length > 0 ? [`these steps do not run, so the skill does not have them: ${idle.join(", ")}`] : []),
    ...(fields.length > 0 ? [`a skill does not say ${fields.join("; ")}`] : []),
  ].map((text) => asLine(text));
}

function condition({ when }: Step): string[] {
  if (typeof when !== "string") return [];
  const [, step, outcome] = /^\{\{\.([A-Za-z]\w*)\.(success|failed)\}\}$/.exec(when) ?? [];
  if (step === undefined) return ["Do this only if the following holds, and else go on:", "", ...block(when), ""];
  const of = step === "previous" ? "the step before" : words(step.replaceAll("_", "-"));
  return [`Do this only if ${of} ${outcome === "success" ? "succeeded" : "failed"}, and else go on.`, ""];
}

function linesOf(step: Step): string[] {
  switch (step.type) {
    case "script":
      return scriptLines(step);
    case "merge":
      return mergeLines(step);
    case "loop":
      return loopLines(step);
    case "agent":
      return agentLines(step);
  }
}

function scriptLines(step: ScriptStep): string[] {
  return [...inputLines(step.input), "Run:", "", ...block(step.command, step.shell), "", ...outcomeLines(step)];
}

function agentLines(step: AgentStep): string[] {
  const spell = step.spell.includes("\n") ? spellLines(step.spell) : [`Follow the spell ${step.spell}.`];
  const { requires = [], outputs = [] } = step;
  return [
    ...spell,
    "",
    ...inputLines(step.input),
    ...(outputs.length > 0 ? [`Say what it gave: ${outputs.map((each) => asLine(each)).join(", ")}.`, ""] : []),
    ...requires.flatMap(gateLines),
    ...outcomeLines(step),
  ];
}

function gateLines(gate: Gate): string[] {
  if (gate.kind === "command") {
    const end = typeof gate.expect === "string" ? `prints ${asText(asLine(gate.expect))}` : exitsWith(gate.expect);
    return [`It is done when this ${end}:`, "", ...block(gate.command, gate.shell), ""];
  }
  const { tool, match, exit, count, covers } = gate;
  const often = count === 1 ? "" : ` ${count} times`;
  const files = covers.length === 0 ? "" : `, on ${asText(asLine(covers.join(", ")))}`;
  if (match === undefined)
    return [`It is done when you have used the tool ${asText(asLine(tool))}${often}${files}.`, ""];
  return [`It is done when you have run this${often}, and it ${exitsWith(exit)}${files}:`, "", ...block(match), ""];
}

function exitsWith(code: number): string {
  return code === 0 ? "succeeds" : `ends with ${code}`;
}

const onFailure = {
  block: [],
  continue: ["If it fails, go on.", ""],
  fail: ["If it fails, all of the work has failed: stop.", ""],
} as const;

function outcomeLines({ on_fail, on_success, output }: ScriptStep | AgentStep): string[] {
  return [
    ...(output === undefined ? [] : [`What it gives is called ${output} below.`, ""]),
    ...onFailure[on_fail],
    ...(on_success ? ["If it succeeds, the steps around it are done: go on behind them.", ""] : []),
  ];
}

function mergeLines(step: MergeStep): string[] {
  const { require_review, verify, shell = "sh", strategy = defaultMergeStrategy, on_changes, on_success } = step;
  const how = strategy === "squash" ? " as one commit" : "";
  const merge = require_review
    ? `Show a person what changed, and merge it${how} once they approve.`
    : `Merge what changed${how}.`;
  return [
    ...(verify === undefined
      ? []
      : ["This has to succeed with what it is merged into:", "", ...block(verify, shell), ""]),
    merge,
    ...(on_changes ? ["If they ask for changes, do the steps around it again."] : []),
    "",
    ...(on_success ? ["Once it is merged, the steps around it are done: go on behind them.", ""] : []),
  ];
}

const onMaximum = {
  block: "If that is not enough, stop and ask a person.",
  exit: "If that is not enough, go on as if they were done.",
  continue: "If that is not enough, they have failed: go on.",
} as const;

function loopLines({ max_iterations, on_max_iterations, output }: LoopStep): string[] {
  return [
    `Repeat these until the check passes, ${max_iterations} times at most. ${onMaximum[on_max_iterations]}`,
    "",
    ...(output === undefined ? [] : [`What the last of them gives is called ${output} below.`, ""]),
  ];
}

function inputLines(input: Record<string, Json>): string[] {
  const items = Object.entries(input).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `- ${asText(asLine(name))}: ${asText(asLine(plain(text)))}`;
  });
  return items.length === 0 ? [] : ["It works with:", ...items, ""];
}

/** Without its own title and what only a run includes. */
function spellLines(spell: string): string[] {
  const lines = plain(spell)
    .split("\n")
    .filter((line) => !/^\{\{-? ?include /.test(line));
  const rest = lines[0]?.startsWith("# ") ? lines.slice(1) : lines;
  return rest
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
    .split("\n")
    .map(asText);
}

/** A line that is no heading, fence or HTML, whatever it says. */
function asText(line: string): string {
  return line.replace(/^(- )?(?=#|`{3}|~{3})/, "$1\\").replace(/<(?=[!?/A-Za-z])(?!\w+ of the task>)/g, "\\<");
}

function block(template: string, language = "text"): string[] {
  return fenceAround(plain(template), language);
}

function plain(template: string): string {
  return template.replace(/\{\{\.bead\.(\w+)\}\}/g, "<$1 of the task>").replace(/\{\{"(\{\{?)"\}\}/g, "$1");
}

/** The name of a step or a skill, in words. */
export function words(name: string): string {
  return name.replaceAll("-", " ");
}
