import { readDataName, type DataName } from "../../contract/data-name.ts";
import { reservedNames, templateName, type AgentStep, type Json, type ScriptStep } from "../../contract/grimoire.ts";
import { formatDuration } from "../../text/duration.ts";
import { yamlText } from "../definition/write-grimoire.ts";
import type { ConversionLoss } from "./conversion-loss.ts";
import type { Creators } from "./creators.ts";
import { fenceKinds, shellAgents, type DataBlock, type MarkupBlock, type NodeBlock } from "./document.ts";
import { readHeading } from "./heading.ts";
import { markupLimits } from "./limits.ts";
import { spellTail, inputTemplate } from "./node-spell.ts";
import { nodesOf, proseOf } from "./nodes.ts";
import { readMarkup } from "./read-markup.ts";
import { branchOf } from "./step-flow.ts";
import { canonicalText } from "./write-markup.ts";

type WorkStep = AgentStep | ScriptStep;

const gap: MarkupBlock = { kind: "text", text: "\n" };

/** Where a step stands. */
interface StepPlace {
  /** The steps that run earlier. */
  before: readonly WorkStep[];
  /** What these create, and what all steps do. */
  creators: { before: Creators; all: Creators };
  channel: string | undefined;
}

/** A step as a heading and what stands below it. */
export function stepBlocks(step: WorkStep, place: StepPlace, losses: ConversionLoss[]): MarkupBlock[] {
  const { before, creators, channel } = place;
  const { taken, input } = splitInput(step, creators);
  const heading = headingOf(step, channel);
  if (heading.channel !== channel)
    losses.push({ step: step.name, message: `the channel #${channel}, which no heading can have` });
  const body = step.type === "script" ? scriptBody(step) : spellBody(step, taken);
  const fields = {
    ...body.fields,
    ...(step.type === "agent" && heading.agent === undefined && definedFields({ agent: step.agent })),
    ...(step.type === "agent" && definedFields({ engine: step.engine, model: step.model })),
    ...(step.when !== undefined && !branchOf(step, before) && { when: step.when }),
    ...(Object.keys(input).length > 0 && { input }),
    ...(step.type === "agent" && definedFields({ output: step.output })),
    ...(step.timeout_ms !== undefined && { timeout: formatDuration(step.timeout_ms) }),
    ...definedFields({ detach: step.detach }),
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

/** The heading that says most and is understood as it is meant. */
function headingOf(step: WorkStep, channel: string | undefined): NodeBlock {
  const own = step.type === "script" ? step.shell : step.agent;
  const isShell = step.type === "agent" && shellAgents.some((each) => each === own);
  const agent = own === undefined || isShell ? {} : { agent: own };
  const inChannel = channel === undefined ? {} : { channel };
  const mark = step.on_fail === "block" ? {} : { mark: marks[step.on_fail] };
  const bare: NodeBlock = { kind: "node", level: 2, name: step.name, ...mark };
  const headings: NodeBlock[] = [
    { ...bare, ...agent, ...inChannel },
    { ...bare, ...agent },
    { ...bare, ...inChannel },
  ];
  return headings.find(isReadBack) ?? bare;
}

function isReadBack(block: NodeBlock): boolean {
  if (/\s/.test(`${block.agent}${block.channel}`)) return false;
  const read = readHeading(canonicalText(block).slice(0, -1));
  if (!read || !("block" in read) || read.block.kind !== "node") return false;
  const { name, agent, channel, mark } = read.block;
  return name === block.name && agent === block.agent && channel === block.channel && mark === block.mark;
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
function spellBody(step: AgentStep, taken: string[]): Body {
  const { spell } = step;
  if (isText(step, taken)) {
    const text = proseIn(step, taken);
    return text === `${step.name}\n` ? {} : { block: { kind: "text", text } };
  }
  if (!spell.endsWith("\n") || spell.includes("\r")) return { fields: { spell } };
  return { block: { kind: "fence", info: fenceKinds.spell, text: spell } };
}

function isText(step: AgentStep, taken: string[]): boolean {
  const prose = proseIn(step, taken);
  return prose === `${step.name}\n` || isProse(prose);
}

/** A spell without what is put behind a node's text; empty when it does not end so. */
function proseIn({ spell }: AgentStep, taken: string[]): string {
  const tail = spellTail(taken);
  return spell.endsWith(tail) ? spell.slice(0, -tail.length) : "";
}

/** Whether a text below a heading is text and code blocks, and nothing but that. */
function isProse(text: string): boolean {
  if (text.trim() === "" || text.includes("\r") || /^[ \t]*\n|\n[ \t]*\n$/.test(text) || !text.endsWith("\n"))
    return false;
  const { blocks, findings } = readMarkup(`## a\n${text}`);
  const [node, ...others] = nodesOf(blocks).nodes;
  return (
    findings.length === 0 && node !== undefined && others.length === 0 && proseOf(node).length === node.blocks.length
  );
}

/**
 * The inputs that `Takes …` names, as far as they stand first, and those whose values have to stand in the step itself: what no node
 * before it creates by that name, and all behind them.
 */
function splitInput(
  step: WorkStep,
  { before, all }: StepPlace["creators"],
): { taken: string[]; input: Record<string, Json> } {
  const entries = Object.entries(step.input);
  const isGiven = ([name, value]: [string, Json]): boolean => value === inputTemplate(name, before.of(name));
  // Without a creator before it, it is a variable; but a node must not take what only a later one creates.
  const isTaken = ([name, value]: [string, Json]): boolean =>
    isTakeable(name, value) && (before.of(name).length > 0 || all.of(name).length === 0);
  const firstWhere = (is: (entry: [string, Json]) => boolean): number => {
    const found = entries.findIndex((each) => !is(each));
    return Math.min(found < 0 ? entries.length : found, markupLimits.namesInLine);
  };
  const named = (end: number): { taken: string[]; input: Record<string, Json> } => ({
    taken: entries.slice(0, end).map(([name]) => name),
    input: Object.fromEntries(entries.filter((each, at) => at >= end || !isGiven(each))),
  });
  const plain = named(firstWhere((each) => isTaken(each) && isGiven(each)));
  // Text says less than it could where more names would make it a spell that is given word for word.
  if (step.type === "agent" && isText(step, plain.taken)) return plain;
  return named(firstWhere(isTaken));
}

/** What comes from elsewhere, under a name that is one: `Takes nothing` stands for none. */
function isTakeable(name: string, value: Json): boolean {
  const isName = name !== "nothing" && !reservedNames.includes(name) && readDataName(name) !== undefined;
  return isName && typeof value === "string" && value.includes("{{");
}

/** Adds what a step creates. */
export function addCreated(step: WorkStep, creators: Creators): void {
  const creator = { step: templateName(step.name), isScript: step.type === "script" };
  creators.add(creator, new Set(createdBy(step, []).map(({ name }) => name)));
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
function definedFields(fields: Record<string, Json | undefined>): Record<string, Json> {
  return Object.fromEntries(Object.entries(fields).filter((each): each is [string, Json] => each[1] !== undefined));
}
