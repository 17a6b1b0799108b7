import { yamlText } from "../../grimoire/definition/write-grimoire.ts";
import { asLine } from "./as-line.ts";
import type { Codified } from "./codified.ts";
import { skillLosses, skillSteps, words, type SkillStep } from "./skill-steps.ts";

/** What a skill may have: characters of its name and description, and lines below its frontmatter. */
export const skillLimits = { name: 64, description: 1024, bodyLines: 499 } as const;

/** So many notes stand in the skill itself. */
const mostNotes = 60;

/**
 * A codified workflow as the SKILL.md of an Agent Skill: the same steps, in words for an agent that works alone. `note` hears of what
 * a skill has no words or no room for.
 */
export function skillText({ grimoire, notes }: Codified, note: (text: string) => void): string {
  const { name, description } = grimoire;
  const own = skillLosses(grimoire.steps);
  const steps = skillSteps(grimoire.steps);
  const about = `${description}. Use it for work of the same kind: ${steps.map(({ title }) => title).join(", ")}`;
  const head = {
    name: skillName(name),
    description: cutToUnits(asLine(about, skillLimits.description), skillLimits.description),
  };
  const intro = [
    "",
    `# ${words(name)}`,
    "",
    "What stands in <…> is the task's own; what stands in double braces comes from an earlier step. Where a step fails, stop and say so, unless it says what else to do.",
    "",
  ];
  // A line for what is said of steps that have no room.
  const room = skillLimits.bodyLines - intro.length - Math.min(notes.length + own.length + 1, mostNotes + 1) - 3;
  const { lines, left } = fitting(steps, room);
  if (left.length > 0)
    own.push(`a skill has less than 500 lines, so these steps were left out: ${asLine(left.join(", "), 400)}`);
  const body = [...intro, ...lines, ...noteLines([...own, ...notes])];
  for (const text of own) note(text);
  return `---\n${yamlText(head)}---\n${body.join("\n").trimEnd()}\n`;
}

/** Single hyphens, none at an end. */
export function skillName(name: string): string {
  return name.slice(0, skillLimits.name).replace(/-+/g, "-").replace(/^-|-$/g, "");
}

/** At most so many UTF-16 units, because some programs count these and others characters. */
function cutToUnits(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** The steps that have room, each whole, and the names of those behind them. */
function fitting(steps: readonly SkillStep[], room: number): { lines: string[]; left: string[] } {
  const lines: string[] = [];
  const left: string[] = [];
  const add = (list: readonly SkillStep[], before: string, level: number): void => {
    for (const [at, { title, lines: own, steps: inner }] of list.entries()) {
      const number = `${before}${at + 1}`;
      const all = [`${"#".repeat(Math.min(level, 6))} ${number}. ${title}`, "", ...own];
      // What stands behind a step that was left out would go on from it.
      if (left.length > 0 || lines.length + all.length > room) left.push(title);
      else lines.push(...all);
      add(inner, `${number}.`, level + 1);
    }
  };
  add(steps, "", 2);
  return { lines, left };
}

function noteLines(notes: readonly string[]): string[] {
  if (notes.length === 0) return [];
  const shown = notes.length > mostNotes ? notes.slice(0, mostNotes - 1) : notes;
  const more = notes.length - shown.length;
  const lines = [...shown.map((each) => asLine(each)), ...(more > 0 ? [`${more} more`] : [])];
  return ["## What is not known", "", ...lines.map((each) => `- ${each}`)];
}
