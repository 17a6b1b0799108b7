import { circleInWords } from "../../text/circle-in-words.ts";
import type { Report } from "../definition/unplaced-problem.ts";
import type { Part } from "./arrows.ts";
import { nameFinder } from "./name-finder.ts";
import type { MarkupNode } from "./nodes.ts";
import type { PlacedBlock } from "./read-markup.ts";
import { noNodes, unknownNode } from "./unknown-node.ts";

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

const maxEdges = 10_000;
/** An `Otherwise` repeats every condition before it. */
const maxConditions = 200;
/** A suggestion compares a name with those of all nodes. */
const maxSuggestions = 20;

/** How the nodes hang together. Reports nodes that there are not, and cycles. */
export function buildGraph(nodes: MarkupNode[], blocks: PlacedBlock[], report: Report): MarkupGraph {
  const byName = new Map<string, MarkupNode>();
  for (const node of nodes) if (!byName.has(node.heading.name)) byName.set(node.heading.name, node);
  const all: Edge[] = [];
  const ends: WayEnd[] = [];
  const add = (edge: Edge): void => {
    if (all.length === maxEdges) report({ offset: edge.offset, message: `more than ${maxEdges} edges` });
    if (all.length <= maxEdges) all.push(edge);
  };
  const nodeNames = [...byName.keys()];
  const nameOf = nameFinder(nodeNames);
  const nodeOf = ({ text }: Part): MarkupNode | undefined => byName.get(nameOf(text) ?? "");
  const misspelt = new Set<string>();
  const candidatesFor = (text: string): string[] => {
    if (misspelt.size < maxSuggestions) misspelt.add(text);
    return misspelt.has(text) ? nodeNames : [];
  };
  const find = (part: Part, isBranch = false): MarkupNode | undefined => {
    const node = nodeOf(part);
    if (!node) report({ offset: part.at, ...unknownNode(part.text, candidatesFor(part.text), isBranch) });
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
      if (names.length > 0 && !names.some(nodeOf)) {
        report({ offset, ...noNodes(block) });
        continue;
      }
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
      if (!isOtherwise && conditions.length >= maxConditions) {
        if (!overfull.has(owner)) report({ offset, message: `more than ${maxConditions} conditions of one node` });
        overfull.add(owner);
        continue;
      }
      if (!isOtherwise) conditions = [...conditions, { text: block.condition!, offset: conditionOffset }];
      const branch: Branch = { isOtherwise, conditions: isOtherwise ? conditions : conditions.slice(-1) };
      const [first, second] = names;
      if (first && !second && isEnd(first.text) && !nodeOf(first)) {
        ends.push({ from: owner, offset: first.at, isOtherwise });
        continue;
      }
      for (const each of names) {
        const to = find(each, true);
        if (to) add({ from: owner, to, offset: each.at, branch });
      }
    }
  }
  const led = new Set(all.map(({ to }) => to));
  // A child that nothing else leads to follows its parent.
  for (const node of nodes)
    if (node.parent && !led.has(node)) add({ from: node.parent, to: node, offset: node.offset });
  const edges = withoutOverviews(all);
  checkEnds(ends, edges, report);
  const into: Edge[][] = nodes.map(() => []);
  for (const edge of edges) into[edge.to.index]!.push(edge);
  return { edges, into, order: orderOf(nodes, into, edges, report) };
}

/** `Otherwise → skip`: nothing follows on this way. */
interface WayEnd {
  from: MarkupNode;
  offset: number;
  isOtherwise: boolean;
}

function isEnd(text: string): boolean {
  return /^(?:skip|end)$/i.test(text);
}

/** Where two nodes hang together by a condition, a line of the flow that joins them too is an overview: the condition decides. */
function withoutOverviews(edges: readonly Edge[]): Edge[] {
  const key = ({ from, to }: Edge): string => `${from.index} ${to.index}`;
  const conditional = new Set(edges.filter(({ branch }) => branch).map(key));
  return edges.filter((edge) => edge.branch || !conditional.has(key(edge)));
}

/** A way does not end where a node follows whatever holds. */
function checkEnds(ends: readonly WayEnd[], edges: readonly Edge[], report: Report): void {
  for (const { from, offset, isOtherwise } of ends) {
    const other = edges.find((edge) => edge.from === from && !edge.branch);
    if (!other) continue;
    const [one, to] = [from.heading.name, other.to.heading.name];
    const hint = isOtherwise ? `write If CONDITION → proceed to ${to}` : `write Otherwise → proceed to ${to}`;
    report({ offset, message: `this way does not end here: ${one} → ${to} has no condition`, hint });
  }
}

const maxCycles = 20;

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
    if (cycles++ < maxCycles) report(cycleProblem(cycle, nodes));
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
