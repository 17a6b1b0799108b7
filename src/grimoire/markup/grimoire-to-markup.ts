import type { Grimoire } from "../../contract/grimoire.ts";
import { formatDuration } from "../../text/duration.ts";
import { yamlText } from "../definition/write-grimoire.ts";
import { Creators } from "./creators.ts";
import type { ConversionLoss } from "./conversion-loss.ts";
import type { MarkupBlock } from "./document.ts";
import { flattenLoops } from "./flatten-loops.ts";
import { readHeading } from "./heading.ts";
import { branchOf, flowBlocks } from "./step-flow.ts";
import { addCreated, stepBlocks } from "./step-to-node.ts";
import { writeMarkup } from "./write-markup.ts";

/**
 * A grimoire as a workflow in markup, in its canonical form. Without losses, reading the text gives the same definition, and writing
 * that again the same text. What markup has no words for is left out and told. `channels` are by the names of steps.
 */
export function grimoireToMarkup(
  grimoire: Grimoire,
  channels: ReadonlyMap<string, string> = new Map(),
): { text: string; losses: ConversionLoss[] } {
  const losses: ConversionLoss[] = [];
  const steps = flattenLoops(grimoire.steps, losses);
  const creators = { before: new Creators(), all: new Creators() };
  for (const step of steps) addCreated(step, creators.all);
  const nodes = steps.map((step, index) => {
    const before = steps.slice(0, index);
    const place = { before, creators, channel: channels.get(step.name) };
    const node = { step, branch: branchOf(step, before), blocks: stepBlocks(step, place, losses) };
    addCreated(step, creators.before);
    return node;
  });
  const blocks: MarkupBlock[] = [...headBlocks(grimoire), ...flowBlocks(nodes)];
  for (const { step, blocks: own } of nodes) {
    const branches = nodes.flatMap(({ branch }) => (branch?.from === step.name ? [branch.block] : []));
    blocks.push(gap, ...own, ...(branches.length > 0 ? [gap, ...branches] : []));
  }
  return { text: writeMarkup({ blocks }), losses };
}

const gap: MarkupBlock = { kind: "text", text: "\n" };

function headBlocks({ name, description, timeout_ms }: Grimoire): MarkupBlock[] {
  const title = readHeading(`# ${description}`);
  const isTitle =
    !/\p{Cc}/u.test(description) &&
    title &&
    "block" in title &&
    title.block.kind === "title" &&
    title.block.text === description;
  const fields = {
    type: "workflow",
    name,
    ...(!isTitle && { description }),
    ...(timeout_ms !== undefined && { timeout: formatDuration(timeout_ms) }),
  };
  return [
    { kind: "frontmatter", text: yamlText(fields) },
    ...(isTitle ? [{ kind: "title", text: description } as const] : []),
  ];
}
