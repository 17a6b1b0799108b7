import { forEachChild, parse, type ParsedScript, type SyntaxNode } from "unbash";

/** A command that an agent writes is shorter. The parser takes time that grows faster than the text, so that all of these count. */
const maxChars = 64 * 1024;
const maxBraces = 2_000;
const maxOldArithmetic = 50;
const maxNodes = 20_000;
const maxDepth = 100;

/** A script with all nodes of its syntax, those of substitutions too, in the order of the text. */
export interface ShellScript {
  root: ParsedScript;
  nodes: readonly SyntaxNode[];
}

/** Undefined for what is no shell script, too long, or nested too deep. Never throws, and never takes long. */
export function parseShell(text: string): ShellScript | undefined {
  if (text.length > maxChars || text.includes("\0")) return undefined;
  if (count(text, "{") > maxBraces || count(text, "$[") > maxOldArithmetic) return undefined;
  try {
    const root = parse(text);
    const nodes = (root.errors?.length ?? 0) > 0 ? undefined : nodesBelow(root);
    return nodes && { root, nodes };
  } catch {
    return undefined;
  }
}

function nodesBelow(root: ParsedScript): SyntaxNode[] | undefined {
  const nodes: SyntaxNode[] = [];
  const visit = (node: SyntaxNode, depth: number): boolean => {
    if (nodes.push(node) > maxNodes || depth > maxDepth) return false;
    if (node.type === "Script" && node.errors?.length) return false;
    let isWhole = true;
    forEachChild(node, (child) => (isWhole &&= visit(child, depth + 1)));
    return isWhole;
  };
  return visit(root, 0) ? nodes : undefined;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
