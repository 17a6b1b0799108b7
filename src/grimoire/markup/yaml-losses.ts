import { fenceKinds, shellAgents } from "./document.ts";
import type { ConversionLoss } from "./conversion-loss.ts";
import { fencesOf, nodesOf, proseOf, type MarkupNode } from "./nodes.ts";
import { readMarkup, type PlacedBlock } from "./read-markup.ts";

/** What a workflow in markup says that its grimoire in YAML does not. What a run does is the same. */
export function yamlLosses(text: string): ConversionLoss[] {
  const { nodes, preamble } = nodesOf(readMarkup(text).blocks);
  const blocks = [...preamble, ...nodes.flatMap((node) => node.blocks)];
  const executions = blocks.filter(({ block }) => block.kind === "fence" && block.info === fenceKinds.history).length;
  return [
    ...(preamble.some(isFilled) ? [{ message: "the text before the first node" }] : []),
    ...nodes.flatMap(nodeLosses),
    ...(executions > 0 ? [{ message: `past executions: ${executions}` }] : []),
  ];
}

function nodeLosses(node: MarkupNode): ConversionLoss[] {
  const { name, channel, agent } = node.heading;
  const isScript = shellAgents.some((each) => each === agent);
  const isWordForWord = fencesOf(node, fenceKinds.spell).length > 0;
  // The prose of another node is its spell.
  const prose = isScript || isWordForWord ? proseOf(node).filter(({ block }) => block.kind === "text") : [];
  const taken = node.blocks.flatMap(({ block }) => (block.kind === "data" ? block.takes : []));
  return [
    ...(channel === undefined ? [] : [{ step: name, message: `the channel #${channel}` }]),
    ...(prose.some(isFilled) ? [{ step: name, message: "its text beside the spell or script" }] : []),
    ...(taken.some(({ type }) => type !== undefined) ? [{ step: name, message: "the types of what it takes" }] : []),
  ];
}

function isFilled({ block }: PlacedBlock): boolean {
  return block.kind === "text" && block.text.trim() !== "";
}
