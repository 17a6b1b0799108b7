import { asLine } from "./as-line.ts";
import type { BeadLiterals } from "./bead-literals.ts";
import type { AgentDraft } from "./draft-steps.ts";

/** What an earlier step left for this one. */
export interface Inheritance {
  /** The earlier step, as people know it. */
  step: string;
  /** The variable that holds what it gave. */
  variable: string;
  /** Files, or names that it printed. */
  what: string[];
}

const most = { texts: 8, chars: 600, files: 12, commands: 12 } as const;

/** The spell of a step: what was asked and decided, in the words of the session, and what it read and wrote. No text of it is a template but ours. */
export function spellText({ title, work }: AgentDraft, inherits: Inheritance[], literals: BeadLiterals): string {
  const said = (text: string): string => literals.inTemplate(text);
  const texts = (pick: (each: (typeof work)[number]) => string[]): string[] =>
    [...new Set(work.flatMap(pick).map((text) => asLine(text)))]
      .filter((text) => text !== "")
      .slice(0, most.texts)
      .map(said);
  const files = (pick: (each: (typeof work)[number]) => string[]): string[] =>
    [...new Set(work.flatMap(pick))].filter(isOwnFile).slice(0, most.files).map(said);
  const earlier = inherits.map(
    ({ step, variable, what }) =>
      `${step} (${what.filter(isLine).slice(0, most.files).map(said).join(", ")}): {{${variable}}}`,
  );
  const blocks = [
    [`# ${said(asLine(title))}`],
    ['{{include "bead.md" bead=.bead}}'],
    list(
      "What a person asked for, in their words:",
      texts(({ asked }) => asked),
    ),
    list(
      "What was decided:",
      texts(({ decided }) => decided),
    ),
    list(
      "What went wrong, and what helped:",
      texts(({ failures }) => failures),
    ),
    list(
      "Files to read:",
      files(({ read }) => read),
    ),
    list(
      "Files to write:",
      files(({ wrote }) => wrote),
    ),
    list(
      "Commands that were run:",
      [...new Set(work.flatMap(({ commands }) => commands.map(({ told }) => asLine(told))))]
        .slice(0, most.commands)
        .map(said),
    ),
    list(
      "What other agents were given to do:",
      texts(({ delegated }) => delegated),
    ),
    list("What earlier steps left:", earlier),
    list(
      "It is done when there is:",
      texts(({ outcome }) => (outcome === undefined ? [] : [outcome])),
    ),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function list(head: string, items: string[]): string[] {
  return items.length === 0 ? [] : [head, ...items.map((item) => `- ${item}`)];
}

/** Whether a file is named from the root: others are of one machine alone. */
function isOwnFile(path: string): boolean {
  return isLine(path) && !path.startsWith("/") && !path.startsWith("~") && !path.startsWith("../");
}

/** Whether a name can stand in a line as it is. */
function isLine(name: string): boolean {
  return name.length <= most.chars && name.trim() === name && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name);
}
