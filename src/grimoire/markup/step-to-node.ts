import { readDataName, type DataName } from "../../contract/data-name.ts";
import type { AgentStep, Json, ScriptStep } from "../../contract/grimoire.ts";
import { formatDuration } from "../../text/duration.ts";
import { yamlText } from "../definition/write-grimoire.ts";
import type { ConversionLoss } from "./conversion-loss.ts";
import { fenceKinds, shellAgents, type DataBlock, type MarkupBlock, type NodeBlock } from "./document.ts";
import { readHeading } from "./heading.ts";
import { spellTail, takenTemplate } from "./node-spell.ts";
import { readMarkup } from "./read-markup.ts";
import { branchOf } from "./step-flow.ts";
import { canonicalText } from "./write-markup.ts";

type WorkStep = AgentStep | ScriptStep;

const gap: MarkupBlock = { kind: "text", text: "\n" };

/** A step as a heading and what stands below it. `before` are the steps that run earlier, `all` every one. */
export function stepBlocks(
  step: WorkStep,
  before: readonly WorkStep[],
  all: readonly WorkStep[],
  losses: ConversionLoss[],
): MarkupBlock[] {
  const { taken, input } = splitInput(step, before, all);
  const heading = headingOf(step);
  const body = step.type === "script" ? scriptBody(step) : spellBody(step, taken);
  const fields = {
    ...body.fields,
    ...(step.type === "agent" && heading.agent === undefined && given({ agent: step.agent })),
    ...(step.type === "agent" && given({ engine: step.engine, model: step.model })),
    ...(step.when !== undefined && !branchOf(step, before) && { when: step.when }),
    ...(Object.keys(input).length > 0 && { input }),
    ...(step.type === "agent" && given({ output: step.output })),
    ...(step.timeout_ms !== undefined && { timeout: formatDuration(step.timeout_ms) }),
    ...given({ detach: step.detach }),
  };
  const data: DataBlock = { kind: "data", takes: taken.map((name) => ({ name })), creates: createdBy(step, losses) };
  return [
    heading,
    ...(body.block ? [gap, body.block] : []),
    ...(data.takes.length + data.creates.length > 0 ? [gap, data] : []),
    ...(Object.keys(fields).length > 0
      ? [gap, { kind: "fence", info: fenceKinds.step, text: yamlText(fields) } as const]
      : []),
  ];
}

const marks = { fail: "critical", continue: "optional" } as const;

function headingOf(step: WorkStep): NodeBlock {
  const agent = step.type === "script" ? step.shell : step.agent;
  const mark = step.on_fail === "block" ? {} : { mark: marks[step.on_fail] };
  const bare: NodeBlock = { kind: "node", level: 2, name: step.name, ...mark };
  if (agent === undefined) return bare;
  const block: NodeBlock = { kind: "node", level: 2, name: step.name, agent, ...mark };
  const isShell = step.type === "agent" && shellAgents.some((each) => each === agent);
  return !isShell && isReadBack(block) ? block : bare;
}

function isReadBack(block: NodeBlock): boolean {
  if (/\s/.test(block.agent ?? "")) return false;
  const read = readHeading(canonicalText(block).slice(0, -1));
  if (!read || !("block" in read) || read.block.kind !== "node") return false;
  const { name, agent, channel, mark } = read.block;
  return name === block.name && agent === block.agent && channel === undefined && mark === block.mark;
}

interface Body {
  block?: MarkupBlock;
  /** What has to stand in the step's YAML instead. */
  fields?: Record<string, Json>;
}

/** A fence has whole lines; a script of one line is meant without its end. */
function scriptBody({ command, shell }: ScriptStep): Body {
  const isOneLine = !/[\n\r]/.test(command);
  if (!isOneLine && !isManyLines(command)) return { fields: { command } };
  return { block: { kind: "fence", info: shell, text: isOneLine ? `${command}\n` : command } };
}

function isManyLines(text: string): boolean {
  return text.endsWith("\n") && text.indexOf("\n") < text.length - 1 && !text.includes("\r");
}

/** A spell as the node's text where that is how such a text is understood; else word for word, or by its name. */
function spellBody({ name, spell }: AgentStep, taken: string[]): Body {
  const tail = spellTail(taken);
  const prose = spell.endsWith(tail) ? spell.slice(0, -tail.length) : "";
  if (prose === `${name}\n`) return {};
  if (isProse(prose)) return { block: { kind: "text", text: prose } };
  if (!spell.endsWith("\n") || spell.includes("\r")) return { fields: { spell } };
  return { block: { kind: "fence", info: fenceKinds.spell, text: spell } };
}

/** Whether a text below a heading is text, and nothing but that. */
function isProse(text: string): boolean {
  if (text.trim() === "" || text.includes("\r") || /^[ \t]*\n|\n[ \t]*\n$/.test(text)) return false;
  const { document, findings } = readMarkup(`## a\n${text}`);
  const [heading, body, ...others] = document.blocks;
  return (
    findings.length === 0 &&
    heading?.kind === "node" &&
    body?.kind === "text" &&
    others.length === 0 &&
    body.text === text
  );
}

/** The inputs that `Takes …` gives, as far as they stand first, and the others. */
function splitInput(
  { input }: WorkStep,
  before: readonly WorkStep[],
  all: readonly WorkStep[],
): { taken: string[]; input: Record<string, Json> } {
  const entries = Object.entries(input);
  const isTaken = ([name, value]: [string, Json]): boolean => {
    const creators = creatorsIn(before, name);
    // Without one before, it is a variable; but a node must not take what only a later one creates.
    const isSettled = creators.length > 0 || creatorsIn(all, name).length === 0;
    return isSettled && value === takenTemplate(name, creators);
  };
  const firstOther = entries.findIndex((each) => !isTaken(each));
  const end = Math.min(firstOther < 0 ? entries.length : firstOther, maxTaken);
  return { taken: entries.slice(0, end).map(([name]) => name), input: Object.fromEntries(entries.slice(end)) };
}

const maxTaken = 100;

function creatorsIn(steps: readonly WorkStep[], name: string): { step: string; isScript: boolean }[] {
  return steps
    .filter((step) => createdBy(step, []).some((each) => each.name === name))
    .map((step) => ({ step: step.name.replaceAll("-", "_"), isScript: step.type === "script" }));
}

function createdBy(step: WorkStep, losses: ConversionLoss[]): DataName[] {
  if (step.type === "script") return step.output === undefined ? [] : [{ name: step.output }];
  const names = (step.outputs ?? []).flatMap((text) => readDataName(text) ?? []);
  const once = names.filter(({ name }, index) => names.findIndex((other) => other.name === name) === index);
  if (once.length < names.length)
    losses.push({ step: step.name, message: "outputs that name a thing twice are left out" });
  return once;
}

/** Only the fields that have a value. */
function given(fields: Record<string, Json | undefined>): Record<string, Json> {
  return Object.fromEntries(Object.entries(fields).filter((each): each is [string, Json] => each[1] !== undefined));
}
