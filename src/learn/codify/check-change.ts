import { workflowFiles, type CodifyFormat } from "../../contract/codify-values.ts";
import type { Grimoire, Step } from "../../contract/grimoire.ts";
import type { Problem } from "../../contract/problem.ts";
import type { ReadGrimoire } from "../../grimoire/definition/read-grimoire.ts";
import type { Path } from "../../grimoire/definition/yaml-tree.ts";
import { closesFence, marginFence } from "../../text/fence.ts";
import { isObject } from "../../text/is-object.ts";
import { findMark } from "../../text/redaction-mark.ts";
import { asLine } from "./as-line.ts";
import { markDoneBy } from "./disable-redacted.ts";
import { landsNothing } from "./land-work.ts";

/** What the rules of codifying say of a workflow that an agent or a person changed. */
export interface ChangeFindings {
  problems: Problem[];
  notes: string[];
}

const secretHint = "put what it needs in the place of it, or let the step be as it was: one that does not run";

/** Nothing of it is written anew: a step with a redacted secret is a problem, what is new and what does not land a note. */
export function checkChange(format: CodifyFormat, after: ReadGrimoire, before: Grimoire | undefined): ChangeFindings {
  const { grimoire, places } = after;
  if (!grimoire) return { problems: [], notes: [] };
  const live = liveSteps(grimoire.steps);
  const problems = live.flatMap(({ step, path, names }): Problem[] => {
    const mark = markDoneBy(step);
    const message = `${step.name} runs, and a secret of it was redacted: ${mark}`;
    const place = { file: workflowFiles[format], ...places.of(path) };
    return mark === undefined ? [] : [{ severity: "error", ...place, step: names, message, hint: secretHint }];
  });
  const warning = landsNothing(grimoire, format);
  const known = before && linesIn(before.steps);
  const fresh = known ? live.flatMap(({ step }) => freshNote(step.name, commandLines(step), known)) : [];
  return { problems, notes: [...(warning === undefined ? [] : [warning]), ...fresh] };
}

/** The same of a skill, whose commands stand in blocks of code. */
export function checkSkillChange(after: string, before: string | undefined): ChangeFindings {
  const lines = blockLines(after);
  const problems = lines.flatMap(({ text, line }): Problem[] => {
    const mark = findMark(text)?.mark;
    const message = `a command lacks a secret that was redacted: ${mark}`;
    const place = { file: workflowFiles.skill, line, column: 1 };
    return mark === undefined ? [] : [{ severity: "error", ...place, message, hint: secretHint }];
  });
  if (before === undefined) return { problems, notes: [] };
  const texts = lines.map(({ text }) => text);
  return { problems, notes: freshNote("the skill", texts, new Set(before.split("\n").map(bare))) };
}

interface LiveStep {
  step: Step;
  /** Where it stands in the definition, by places and by names. */
  path: Path;
  names: string;
}

function liveSteps(steps: readonly Step[], path: Path = [], before = ""): LiveStep[] {
  return steps.flatMap((step, at) => {
    if (step.when === false) return [];
    const own = { step, path: [...path, "steps", at], names: `${before}${step.name}` };
    return [own, ...(step.type === "loop" ? liveSteps(step.steps, own.path, `${own.names}/`) : [])];
  });
}

function commandLines(step: Step): string[] {
  const texts =
    step.type === "script"
      ? [step.command]
      : step.type === "merge"
        ? [step.verify ?? ""]
        : step.type === "agent"
          ? (step.requires ?? []).map((gate) => (gate.kind === "command" ? gate.command : ""))
          : [];
  return texts.flatMap((text) => text.split("\n"));
}

const mostNamed = 5;

/** Lines that only set up a shell are no commands. */
const idleLine = /^(?:#.*|set -\w+|)$/;

function freshNote(where: string, lines: readonly string[], known: ReadonlySet<string>): string[] {
  const fresh = [...new Set(lines.map(bare))].filter((line) => !known.has(line) && !idleLine.test(line));
  if (fresh.length === 0) return [];
  const more = fresh.length > mostNamed ? [`${fresh.length - mostNamed} more`] : [];
  const named = [...fresh.slice(0, mostNamed).map((line) => asLine(line, 200)), ...more];
  return [`${where}: nothing was seen to run these commands, which are new: ${named.join("; ")}`];
}

/** All lines of all texts of a workflow: its commands, and what its spells list. */
function linesIn(value: unknown): Set<string> {
  if (typeof value === "string") return new Set(value.split("\n").map(bare));
  if (!Array.isArray(value) && !isObject(value)) return new Set();
  return new Set(Object.values(value).flatMap((each) => [...linesIn(each)]));
}

function bare(line: string): string {
  return line.trim().replace(/^- /, "");
}

function blockLines(text: string): { text: string; line: number }[] {
  const found: { text: string; line: number }[] = [];
  let signs: string | undefined;
  for (const [at, line] of text.split("\n").entries()) {
    if (signs === undefined) signs = marginFence(line)?.signs;
    else if (closesFence(line, signs)) signs = undefined;
    else found.push({ text: line, line: at + 1 });
  }
  return found;
}
