import * as z from "zod/mini";
import { grimoireLimits, grimoireSchema } from "../../contract/grimoire-schema.ts";
import { buildGrimoire } from "../definition/build-grimoire.ts";
import { checkNames } from "../definition/check-names.ts";
import { checkSteps } from "../definition/check-steps.ts";
import { issueFinding } from "../definition/issue-finding.ts";
import type { ReadGrimoire } from "../definition/read-grimoire.ts";
import { writtenSteps } from "../definition/step-walk.ts";
import { toProblems, type Report, type UnplacedProblem } from "../definition/unplaced-problem.ts";
import type { Path, PlacedTree } from "../definition/yaml-tree.ts";
import { LineIndex } from "../text/line-index.ts";
import { conditionsOf, isAction, operand } from "./conditions.ts";
import { buildGraph } from "./graph.ts";
import { readNodeStep, stepFields, type NodeStep } from "./node-step.ts";
import { nodesOf, stepNameOf, templateNameOf, type MarkupNode } from "./nodes.ts";
import { readMarkup, type PlacedBlock } from "./read-markup.ts";
import { readEmbeddedYaml, type EmbeddedYaml } from "./step-fence.ts";
import { workflowNameOf } from "./workflow-file.ts";

/**
 * Reads a workflow in markup as the grimoire that a run of it goes by. Does not throw: what is wrong comes back as problems. A
 * condition for people is one, unless it may count as false.
 */
export function readWorkflow(
  text: string,
  file: string,
  { forPeople = "error" }: { forPeople?: "error" | "false" } = {},
): ReadGrimoire {
  const lines = new LineIndex(text);
  const { blocks, findings } = readMarkup(text);
  const report: Report = (finding) => void findings.push(finding);
  const nul = text.indexOf("\0");
  if (nul >= 0) report({ offset: nul, message: "text must not contain NUL characters" });
  const reportForPeople: Report = (finding) => forPeople === "error" && report(finding);
  const hasOnlyWarnings = findings.every(isWarning);
  const compiled = compile(blocks, text, file, lines, { report, reportForPeople, hasOnlyWarnings });
  const isSound = findings.every(isWarning);
  const parsed = isSound ? z.safeParse(grimoireSchema, compiled.tree.value, { jitless: true }) : undefined;
  for (const issue of parsed?.error?.issues ?? []) {
    const finding = issueFinding(issue, compiled.tree);
    if (finding) findings.push(finding);
  }
  return {
    ...(parsed?.success && findings.every(isWarning) && { grimoire: buildGrimoire(parsed.data) }),
    ...channelsOf(nodesOf(blocks).nodes),
    problems: toProblems(findings, file, lines, () => undefined),
    places: {
      of: (path) => lines.placeOf(compiled.tree.offsetOf(path)),
      within: (path, line, column) => lines.placeOf(compiled.offsetWithin(path, line, column)),
    },
  };
}

function isWarning({ severity }: UnplacedProblem): boolean {
  return severity === "warning";
}

function channelsOf(nodes: MarkupNode[]): Pick<ReadGrimoire, "channels"> {
  const named = nodes.flatMap((node) =>
    node.heading.channel === undefined ? [] : [[stepNameOf(node), node.heading.channel] as const],
  );
  return named.length > 0 ? { channels: Object.fromEntries(named) } : {};
}

interface Compiled {
  tree: PlacedTree;
  /** Where a line and column of a spell or command stand. */
  offsetWithin: (path: Path, line: number, column: number) => number;
}

function compile(
  blocks: PlacedBlock[],
  text: string,
  file: string,
  lines: LineIndex,
  reports: Parameters<typeof conditionsOf>[2] & { hasOnlyWarnings: boolean },
): Compiled {
  const { report, hasOnlyWarnings } = reports;
  const head = readHead(blocks, text, report);
  const { nodes } = nodesOf(blocks);
  // A heading that cannot be read is told, and was meant as one.
  if (nodes.length === 0 && hasOnlyWarnings) {
    report({ offset: 0, message: "a workflow needs at least one node", hint: "write ## Name @agent and what to do" });
  }
  if (nodes.length > grimoireLimits.steps) {
    report({ offset: nodes[grimoireLimits.steps]!.offset, message: `more than ${grimoireLimits.steps} nodes` });
    nodes.length = 0;
  }
  const graph = buildGraph(nodes, nodes.length > 0 ? blocks : [], report);
  const read = new Map(nodes.map((node) => [node, readNodeStep(node, text, report)]));
  const ownWhen = (node: NodeStep["node"]): unknown => read.get(node)?.yaml?.fields["when"];
  const conditions = conditionsOf(graph, ownWhen, reports);
  const ordered = graph.order.map((node) => read.get(node)!);
  checkTaken(ordered, report);
  const steps = ordered.map((step, index) => {
    const edgeWhen = conditions.get(step.node)!.when;
    const when = bothOf(edgeWhen, ownWhen(step.node));
    return stepFields(step, ordered.slice(0, index), when);
  });
  const value = { ...headFields(head, blocks, file), steps };
  const offsetOf = (path: Path, ofKey = false): number => {
    const step = path[0] === "steps" ? ordered[Number(path[1])] : undefined;
    if (!step) return head?.[ofKey ? "keyOffsetOf" : "offsetOf"](path) ?? 0;
    const [key] = path.slice(2);
    if (key !== undefined && step.yaml && Object.hasOwn(step.yaml.fields, key)) {
      return step.yaml[ofKey ? "keyOffsetOf" : "offsetOf"](path.slice(2));
    }
    if (key === "when") return conditions.get(step.node)!.offset;
    if ((key === "spell" || key === "command") && step.lines.length > 0) return step.lines[0]!.start;
    return step.node.offset;
  };
  const tree: PlacedTree = {
    value,
    offsetOf: (path) => offsetOf(path),
    keyOffsetOf: (path) => offsetOf(path, true),
    isEmpty: () => false,
  };
  const written = writtenSteps(value);
  const describePlace = (offset: number): string => `line ${lines.placeOf(offset).line}`;
  checkSteps(written, tree, report);
  if (!reportSameNames(nodes, describePlace, report)) checkNames(written, tree, describePlace, report);
  return {
    tree,
    offsetWithin(path, line, column) {
      const step = path[0] === "steps" ? ordered[Number(path[1])] : undefined;
      const [key] = path.slice(2);
      const source = key === "spell" || key === "command" ? step?.lines[line - 1] : undefined;
      return source ? Math.min(source.start + column - 1, source.end) : offsetOf(path);
    },
  };
}

/** Whether two nodes have one name, as templates write it. The one that stands below the other is reported. */
function reportSameNames(nodes: MarkupNode[], describePlace: (offset: number) => string, report: Report): boolean {
  const byName = new Map<string, MarkupNode>();
  for (const node of nodes) {
    const { offset, heading } = node;
    const first = byName.get(templateNameOf(node));
    if (!first) byName.set(templateNameOf(node), node);
    else {
      const hint = heading.name === first.heading.name ? undefined : "as steps both have one name; choose another";
      const message = `${heading.name} is already the name of the node at ${describePlace(first.offset)}`;
      report({ offset, message, hint });
    }
  }
  return byName.size < nodes.length;
}

/** What the edges say, and what the node itself does. */
function bothOf(edges: string | undefined, own: unknown): unknown {
  if (edges === undefined || own === undefined) return own ?? edges;
  if (typeof own !== "string") return own === true ? edges : own;
  // What is no condition is told where conditions are checked.
  return isAction(own.trim()) ? `{{and ${operand(edges)} ${operand(own.trim())}}}` : own;
}

/** What a node takes must be there before it. */
function checkTaken(ordered: NodeStep[], report: Report): void {
  const createdBy = new Map<string, NodeStep[]>();
  for (const step of ordered) {
    for (const { name } of step.creates) createdBy.set(name, [...(createdBy.get(name) ?? []), step]);
  }
  const done = new Set<NodeStep>();
  for (const step of ordered) {
    for (const { name, type } of step.takes) {
      const creators = createdBy.get(name) ?? [];
      const before = creators.filter((each) => done.has(each));
      const { offset } = step.node.blocks.find(({ block }) => block.kind === "data") ?? step.node;
      if (creators.length > 0 && before.length === 0) {
        const other = creators[0]!.node.heading.name;
        const hint = `write ${other} → ${step.node.heading.name}`;
        report({ offset, message: `takes ${name}, which ${other} creates only later`, hint });
      }
      const given = before.at(-1)?.creates.find((each) => each.name === name)?.type;
      if (type !== undefined && given !== undefined && type !== given) {
        report({ offset, message: `takes ${name}::${type}, but it is created as ${name}::${given}` });
      }
    }
    done.add(step);
  }
}

/** The frontmatter, which says that the file is a workflow. */
function readHead(blocks: PlacedBlock[], text: string, report: Report): EmbeddedYaml | undefined {
  const [first] = blocks;
  const hint = "begin the file with ---, type: workflow, ---";
  if (first?.block.kind !== "frontmatter") {
    report({ offset: 0, message: "a workflow begins with its frontmatter", hint });
    return undefined;
  }
  const head = readEmbeddedYaml(first, text, report);
  if (head && head.fields["type"] !== "workflow") {
    report({ offset: head.offsetOf(["type"]), message: "the frontmatter must say type: workflow", hint });
  }
  const titles = blocks.filter(({ block }) => block.kind === "title");
  if (titles[1]) report({ offset: titles[1].offset, message: "a second title: nodes begin with ##" });
  return head;
}

/** Other keys of the frontmatter are the person's own. */
export const headKeys: readonly string[] = ["type", "name", "description", "timeout"];

function headFields(head: EmbeddedYaml | undefined, blocks: PlacedBlock[], file: string): Record<string, unknown> {
  const { name, description, timeout } = head?.fields ?? {};
  const title = blocks.find(({ block }) => block.kind === "title")?.block;
  const words = title?.kind === "title" ? title.text : undefined;
  return {
    name: name ?? workflowNameOf(file),
    description: description ?? words ?? `The workflow in ${file.replace(/^.*\//, "")}.`,
    ...(timeout !== undefined && { timeout }),
  };
}
