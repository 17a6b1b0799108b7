import { yamlText } from "../../grimoire/definition/write-grimoire.ts";
import type { Step } from "../../contract/grimoire.ts";
import { asLine } from "./as-line.ts";
import type { Codified } from "./codified.ts";
import { fenceAround } from "../../text/fence.ts";
import { gateText } from "./gate-text.ts";

export const skillLimits = { name: 64, description: 1024, bodyLines: 499 } as const;

/** A codified workflow as the SKILL.md of an Agent Skill: the same steps, in words for an agent that works alone. */
export function skillText({ grimoire, notes }: Codified): string {
  const { name, description, steps } = grimoire;
  const about = `${description}. Use it for work of the same kind: ${steps.map((step) => words(step.name)).join(", ")}`;
  const head = { name: skillName(name), description: asLine(about, skillLimits.description - 1) };
  const body = [
    `# ${words(name)}`,
    "",
    "What stands in <…> is the task's own; what stands in double braces comes from an earlier step.",
    "",
    ...steps.flatMap((step, at) => stepLines(step, `${at + 1}`, 2)),
    ...(notes.length === 0 ? [] : ["## What is not known", "", ...notes.map((note) => `- ${asLine(note)}`), ""]),
  ];
  const isLong = body.length > skillLimits.bodyLines;
  const lines = isLong
    ? [...body.slice(0, skillLimits.bodyLines - 2), "", "The rest was left out: a skill has less than 500 lines."]
    : body;
  return `---\n${yamlText(head)}---\n\n${lines.join("\n").trimEnd()}\n`;
}

/** Single hyphens, none at an end. */
export function skillName(name: string): string {
  return name.slice(0, skillLimits.name).replace(/-+/g, "-").replace(/^-|-$/g, "");
}

function stepLines(step: Step, number: string, level: number): string[] {
  const head = [`${"#".repeat(Math.min(level, 6))} ${number}. ${words(step.name)}`, ""];
  switch (step.type) {
    case "script":
      return [...head, "Run:", "", ...fenceAround(plain(step.command), "sh"), ""];
    case "merge":
      return [...head, "Show a person what changed, and merge it once they approve.", ""];
    case "loop":
      return [
        ...head,
        `Repeat these until the check passes, ${step.max_iterations} times at most.`,
        "",
        ...step.steps.flatMap((each, at) => stepLines(each, `${number}.${at + 1}`, level + 1)),
      ];
    case "agent": {
      const gates = (step.requires ?? []).map(gateText);
      const spell = step.spell.includes("\n") ? spellLines(step.spell) : [`Follow the spell ${step.spell}.`];
      const check =
        gates.length === 0
          ? []
          : ["It is done when this succeeds:", "", ...fenceAround(gates.map(plain).join("\n"), "sh"), ""];
      return [...head, ...spell, "", ...check];
    }
  }
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

function plain(template: string): string {
  return template.replace(/\{\{\.bead\.(\w+)\}\}/g, "<$1 of the task>").replace(/\{\{"(\{\{?)"\}\}/g, "$1");
}

function words(name: string): string {
  return name.replaceAll("-", " ");
}
