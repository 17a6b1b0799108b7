import { templateName } from "../../contract/grimoire.ts";
import { fenceKinds, type DataBlock, type NodeBlock } from "./document.ts";
import { plainName } from "./plain-name.ts";
import type { PlacedBlock } from "./read-markup.ts";

/** A node with what stands below its heading. */
export interface MarkupNode {
  heading: NodeBlock;
  offset: number;
  /** Its place among the nodes of the document. */
  index: number;
  parent: MarkupNode | undefined;
  blocks: PlacedBlock[];
}

/** The nodes of a document in its order, and what stands before the first. */
export function nodesOf(blocks: PlacedBlock[]): { nodes: MarkupNode[]; preamble: PlacedBlock[] } {
  const nodes: MarkupNode[] = [];
  const preamble: PlacedBlock[] = [];
  const open: MarkupNode[] = [];
  for (const each of blocks) {
    const { block, offset } = each;
    if (block.kind !== "node") {
      (nodes.at(-1)?.blocks ?? preamble).push(each);
      continue;
    }
    while (open.length > 0 && open.at(-1)!.heading.level >= block.level) open.pop();
    const node = { heading: block, offset, index: nodes.length, parent: open.at(-1), blocks: [] };
    nodes.push(node);
    open.push(node);
  }
  return { nodes, preamble };
}

export function dataOf({ blocks }: MarkupNode): (PlacedBlock & { block: DataBlock })[] {
  return blocks.filter((each): each is PlacedBlock & { block: DataBlock } => each.block.kind === "data");
}

export function fencesOf({ blocks }: MarkupNode, ...kinds: string[]): PlacedBlock[] {
  return blocks.filter(({ block }) => block.kind === "fence" && kinds.includes(block.info));
}

const ownFences: readonly string[] = Object.values(fenceKinds);

/** What people and agents read of a node: its text, and code blocks that mean nothing to Clew. */
export function proseOf({ blocks }: MarkupNode): PlacedBlock[] {
  return blocks.filter(
    ({ block }) => block.kind === "text" || (block.kind === "fence" && !ownFences.includes(block.info)),
  );
}

/** The step's name, as in the heading where that has only letters, digits, - and _. */
export function stepNameOf({ heading: { name }, index }: Pick<MarkupNode, "heading" | "index">): string {
  return plainName(name) ?? `node-${index + 1}`;
}

/** As templates write it. */
export function templateNameOf(node: Pick<MarkupNode, "heading" | "index">): string {
  return templateName(stepNameOf(node));
}
