import type { DataName } from "../../contract/data-name.ts";

/**
 * A workflow in markup, as a list of blocks in the order of the text. A node owns what follows it, up to the next node. Reading any
 * text and writing its document gives the same text, byte for byte.
 */
export interface MarkupDocument {
  blocks: MarkupBlock[];
}

/** How a block stands in the file, where that is not how `writeMarkup` would write it. */
interface Written {
  written?: string;
}

export type MarkupBlock = Written &
  (FrontmatterBlock | TitleBlock | NodeBlock | FlowBlock | BranchBlock | DataBlock | FenceBlock | TextBlock);

/** The YAML between two lines of `---`, each line with its end. */
export interface FrontmatterBlock {
  kind: "frontmatter";
  text: string;
}

/** `# Text` */
export interface TitleBlock {
  kind: "title";
  text: string;
}

/** What follows when a node fails: the run fails, or it goes on. Without a mark it blocks. */
export type NodeMark = "critical" | "optional";

/** `## Name @agent #channel !`; a deeper heading is a child of the one that it stands below. */
export interface NodeBlock {
  kind: "node";
  /** 2 to 6. */
  level: number;
  name: string;
  agent?: string;
  channel?: string;
  mark?: NodeMark;
}

/** `a, b → c → d`: each stage follows the one before it. */
export interface FlowBlock {
  kind: "flow";
  stages: string[][];
}

/** `If CONDITION → proceed to a, b`, or `Otherwise → proceed to c` when the condition is null. */
export interface BranchBlock {
  kind: "branch";
  condition: string | null;
  targets: string[];
}

/** `Takes a, b → creates:` and its list. */
export interface DataBlock {
  kind: "data";
  takes: DataName[];
  creates: DataName[];
}

/** A code block. What is in it is never markup. */
export interface FenceBlock {
  kind: "fence";
  /** What stands behind the opening fence, such as `session-toon`. */
  info: string;
  /** Its lines, each with its end. */
  text: string;
}

/** Any other lines, as they are. */
export interface TextBlock {
  kind: "text";
  text: string;
}

/** Fences that mean something to Clew. */
export const fenceKinds = {
  /** A past execution. */
  history: "session-toon",
  /** The spell of a node, word for word. */
  spell: "spell",
  /** Fields of a node's step, as YAML. */
  step: "step",
} as const;

/** Agents that are no agents: the node's fence is a script for this shell. */
export const shellAgents = ["sh", "bash"] as const;
