import { circleInWords } from "../../text/circle-in-words.ts";
import { nearest } from "../../text/nearest.ts";
import type { Report } from "../definition/unplaced-problem.ts";
import { didYouMean } from "../definition/words.ts";
import type { Part } from "./arrows.ts";
import { markupLimits } from "./limits.ts";
import type { MarkupNode } from "./nodes.ts";
import type { PlacedBlock } from "./read-markup.ts";

/** One node follows another, under a condition or always. */
export interface Edge {
  from: MarkupNode;
  to: MarkupNode;
  offset: number;
  branch?: Branch;
}

/** A condition of the node that an edge leaves; for `Otherwise`, those that must not hold. */
export interface Branch {
  conditions: { text: string; offset: number }[];
  isOtherwise: boolean;
}

export interface MarkupGraph {
  edges: Edge[];
  /** The edges to a node, by its index. */
  into: Edge[][];
  /** Each node behind those that it follows, otherwise as in the document; without those that stand in a cycle. */
  order: MarkupNode[];
}

/** How the nodes hang together. Reports nodes that there are not, and cycles. */
export function buildGraph(nodes: MarkupNode[], blocks: PlacedBlock[], report: Report): MarkupGraph {
  const byName = new Map<string, MarkupNode>();
  for (const node of nodes) if (!byName.has(node.heading.name)) byName.set(node.heading.name, node);
  const edges: Edge[] = [];
  const into: Edge[][] = nodes.map(() => []);
  const add = (edge: Edge): void => {
    if (edges.length === markupLimits.edges)
      report({ offset: edge.offset, message: `more than ${markupLimits.edges} edges` });
    if (edges.length > markupLimits.edges) return;
    edges.push(edge);
    into[edge.to.index]!.push(edge);
  };
  const find = ({ text, at }: Part): MarkupNode | undefined => {
    const node = byName.get(text);
    if (!node) report({ offset: at, ...unknownNode(text, [...byName.keys()]) });
    return node;
  };
  let owner: MarkupNode | undefined;
  let next = 0;
  /** The conditions of the node so far. */
  let conditions: Branch["conditions"] = [];
  const overfull = new Set<MarkupNode>();
  for (const { block, offset, names, conditionOffset } of blocks) {
    if (block.kind === "node") {
      owner = nodes[next++];
      conditions = [];
    } else if (block.kind === "flow") {
      let at = 0;
      let before: MarkupNode[] = [];
      for (const { length } of block.stages) {
        const stage = names.slice(at, (at += length)).map((each) => ({ node: find(each), offset: each.at }));
        for (const from of before)
          for (const { node: to, offset: place } of stage) if (to) add({ from, to, offset: place });
        before = stage.flatMap(({ node }) => node ?? []);
      }
    } else if (block.kind === "branch") {
      if (!owner) {
        report({
          offset,
          message: "a condition stands outside a node",
          hint: "write it below the heading that it leaves",
        });
        continue;
      }
      const isOtherwise = block.condition === null;
      if (isOtherwise && conditions.length === 0)
        report({ offset, message: "Otherwise stands behind no If of its node" });
      if (!isOtherwise && conditions.length >= markupLimits.conditions) {
        if (!overfull.has(owner))
          report({ offset, message: `more than ${markupLimits.conditions} conditions of one node` });
        overfull.add(owner);
        continue;
      }
      if (!isOtherwise) conditions = [...conditions, { text: block.condition!, offset: conditionOffset }];
      const branch: Branch = { isOtherwise, conditions: isOtherwise ? conditions : conditions.slice(-1) };
      for (const each of names) {
        const to = find(each);
        if (to) add({ from: owner, to, offset: each.at, branch });
      }
    }
  }
  // A child that nothing else leads to follows its parent.
  for (const node of nodes) {
    if (node.parent && into[node.index]!.length === 0) add({ from: node.parent, to: node, offset: node.offset });
  }
  return { edges, into, order: orderOf(nodes, into, edges, report) };
}

function unknownNode(name: string, names: string[]): { message: string; hint: string } {
  const shown = name.length > 60 ? `${name.slice(0, 60).toWellFormed()}…` : name;
  const hint = didYouMean(nearest(name.slice(0, 200), names));
  return {
    message: `there is no node ${shown}`,
    hint: hint ?? "nodes are headings such as ## Name; text with an arrow stands in `code`, or in a list",
  };
}

function orderOf(nodes: MarkupNode[], into: Edge[][], edges: Edge[], report: Report): MarkupNode[] {
  const left = new Set(nodes.map(({ index }) => index));
  const following: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) following[from.index]!.push(to.index);
  const waits = into.map(({ length }) => length);
  const order: MarkupNode[] = [];
  let cycles = 0;
  const free = (index: number, ready: number[]): void => {
    for (const each of following[index]!) if (--waits[each]! === 0) insert(ready, each);
  };
  const ready = nodes.flatMap(({ index }) => (waits[index] === 0 ? [index] : []));
  while (left.size > 0) {
    const index = ready.shift();
    if (index !== undefined) {
      if (!left.delete(index)) continue;
      order.push(nodes[index]!);
      free(index, ready);
      continue;
    }
    const cycle = cycleIn(left, into);
    if (cycles++ < markupLimits.cycles) report(cycleProblem(cycle, nodes));
    for (const { to } of cycle) left.delete(to.index);
    for (const { to } of cycle) free(to.index, ready);
  }
  return order;
}

/** Keeps the numbers in order. */
function insert(numbers: number[], number: number): void {
  let at = numbers.length;
  while (at > 0 && numbers[at - 1]! > number) at--;
  numbers.splice(at, 0, number);
}

/** Every node that is left has one before it that is left too: going back, one comes again. */
function cycleIn(left: ReadonlySet<number>, into: Edge[][]): Edge[] {
  const path: Edge[] = [];
  const seenAt = new Map<number, number>();
  let index = [...left][0]!;
  while (!seenAt.has(index)) {
    seenAt.set(index, path.length);
    const edge = into[index]!.find(({ from }) => left.has(from.index))!;
    path.push(edge);
    index = edge.from.index;
  }
  return path.slice(seenAt.get(index)).toReversed();
}

function cycleProblem(cycle: Edge[], nodes: MarkupNode[]): Parameters<Report>[0] {
  // It is told from its first node in the document on; the edge back to that one closes it.
  const first = cycle.reduce((least, { from }, at) => (from.index < cycle[least]!.from.index ? at : least), 0);
  const turned = [...cycle.slice(first), ...cycle.slice(0, first)];
  const names = [...turned.map(({ from }) => from), turned[0]!.from].map(({ index }) => nodes[index]!.heading.name);
  const hint = "a workflow goes forward only; what repeats is a loop of a grimoire: clew grimoire convert";
  return { offset: turned.at(-1)!.offset, message: `the nodes form a cycle: ${circleInWords(names)}`, hint };
}
