import { writeDataName, type DataName } from "../../contract/data-name.ts";
import { reservedNames } from "../../contract/grimoire.ts";
import type { Report } from "../definition/unplaced-problem.ts";
import type { Creators } from "./creators.ts";
import { fenceKinds, shellAgents } from "./document.ts";
import { markupLimits } from "./limits.ts";
import { spellTail, inputTemplate } from "./node-spell.ts";
import { dataOf, fencesOf, proseOf, stepNameOf, type MarkupNode } from "./nodes.ts";
import type { PlacedBlock } from "./read-markup.ts";
import { splitLines, type SourceLine } from "./source-lines.ts";
import { checkStepKeys, readEmbeddedYaml, type EmbeddedYaml } from "./step-fence.ts";
import { canonicalText } from "./write-markup.ts";

/** A node as the step that it becomes, as it would stand in YAML, with the places of its texts. */
export interface NodeStep {
  node: MarkupNode;
  type: "agent" | "script";
  takes: DataName[];
  creates: DataName[];
  yaml: EmbeddedYaml | undefined;
  /** The lines of its spell or command. */
  lines: SourceLine[];
}

/** Reads what stands below a heading. Reports what does not go together. */
export function readNodeStep(node: MarkupNode, source: string, report: Report): NodeStep {
  const { agent } = node.heading;
  const type = shellAgents.some((each) => each === agent) ? "script" : "agent";
  const [stepFence, second] = fencesOf(node, fenceKinds.step);
  if (second) report({ offset: second.offset, message: "a second block of step: a node has one" });
  const yaml = stepFence && readEmbeddedYaml(stepFence, source, report);
  if (yaml) checkStepKeys(yaml, type, report);
  const data = dataOf(node);
  if (data.length > 1) report({ offset: data[1]!.offset, message: "a second Takes … → creates: a node has one" });
  const { takes: allTaken = [], creates: allCreated = [] } = data[0]?.block ?? {};
  checkNames(allTaken, "takes", data[0], report);
  checkNames(allCreated, "creates", data[0], report);
  const [takes, creates] = [allTaken.slice(0, markupLimits.creates), allCreated.slice(0, markupLimits.creates)];
  if (type === "script" && creates.length > 1) {
    const hint = "a script gives what it prints: one name";
    report({ offset: data[0]!.offset, message: "a script creates more than one thing", hint });
  }
  const lines = bodyLines(node, type, report);
  if (type === "script" && lines.length === 0 && yaml?.fields["command"] === undefined)
    report({
      offset: node.offset,
      message: "a script without code",
      hint: `add a ${agent} code block below its heading`,
    });
  return { node, type, takes, creates, yaml, lines };
}

function checkNames(names: DataName[], verb: string, at: PlacedBlock | undefined, report: Report): void {
  if (!at) return;
  if (names.length > markupLimits.creates)
    report({ offset: at.offset, message: `${verb} more than ${markupLimits.creates} things` });
  const seen = new Set<string>();
  const twice = names.find(({ name }) => seen.size === seen.add(name).size);
  if (twice) report({ offset: at.offset, message: `${verb} ${twice.name} twice` });
}

/** The lines of a script, of a spell that is given word for word, or of the node's text. */
function bodyLines(node: MarkupNode, type: NodeStep["type"], report: Report): SourceLine[] {
  const kinds = type === "script" ? shellAgents : [fenceKinds.spell];
  const [fence, second] = fencesOf(node, ...kinds);
  if (second) report({ offset: second.offset, message: `a second block of ${kinds.join(" or ")}: a node has one` });
  if (fence) return fence.content;
  if (type === "script") return [];
  const lines = proseOf(node).flatMap(({ block, content, offset }): SourceLine[] => {
    if (block.kind !== "fence") return content;
    const edge = { start: offset, end: offset };
    const written = splitLines(block.written ?? canonicalText(block));
    return [{ text: written[0]!.text, ...edge }, ...content, { text: written.at(-1)!.text, ...edge }];
  });
  let [from, end] = [0, lines.length];
  while (from < end && lines[from]!.text.trim() === "") from++;
  while (end > from && lines[end - 1]!.text.trim() === "") end--;
  return lines.slice(from, end);
}

/** The step's fields as YAML would have them. `before` are what steps that run earlier create. */
export function stepFields(step: NodeStep, before: Creators, when: unknown): Record<string, unknown> {
  const { node, type, yaml, takes, creates } = step;
  const { agent, mark } = node.heading;
  const base = {
    name: stepNameOf(node),
    type,
    ...(when !== undefined && { when }),
    ...(mark && { on_fail: mark === "critical" ? "fail" : "continue" }),
  };
  const taken = takes.filter(({ name }) => !reservedNames.includes(name));
  const input = Object.fromEntries(taken.map(({ name }) => [name, inputTemplate(name, before.of(name))]));
  const { when: _when, input: ownInput, ...own } = yaml?.fields ?? {};
  const inputs =
    ownInput === undefined && taken.length === 0
      ? {}
      : { input: typeof ownInput === "object" && ownInput !== null ? { ...input, ...ownInput } : (ownInput ?? input) };
  if (type === "script") {
    const output = creates.map(({ name }) => ({ output: name }))[0];
    return { ...base, ...commandOf(step), ...(agent === "bash" && { shell: "bash" }), ...inputs, ...output, ...own };
  }
  const outputs = creates.length > 0 && { outputs: creates.map(writeDataName) };
  const names = taken.map(({ name }) => name);
  return {
    ...base,
    ...(agent !== undefined && { agent }),
    spell: spellOf(step, names),
    ...inputs,
    ...outputs,
    ...own,
  };
}

/** One line is a command without its end; more are lines. */
function commandOf({ lines }: NodeStep): { command?: string } {
  if (lines.length === 0) return {};
  return { command: lines.length === 1 ? lines[0]!.text : lines.map(({ text }) => `${text}\n`).join("") };
}

function spellOf({ node, lines }: NodeStep, takes: string[]): string {
  const text = lines.map((line) => `${line.text}\n`).join("");
  if (fencesOf(node, fenceKinds.spell).length > 0) return text;
  return (text === "" ? `${node.heading.name}\n` : text) + spellTail(takes);
}
