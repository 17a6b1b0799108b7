import { isForPeople } from "./conditions.ts";
import type { ConversionLoss } from "./conversion-loss.ts";
import { fenceKinds, shellAgents } from "./document.ts";
import { nameFinder } from "./name-finder.ts";
import { dataOf, fencesOf, nodesOf, proseOf, stepNameOf, type MarkupNode } from "./nodes.ts";
import { readMarkup, type PlacedBlock } from "./read-markup.ts";
import { headKeys } from "./read-workflow.ts";
import { readEmbeddedYaml } from "./step-fence.ts";

/** What a workflow in markup says that its grimoire in YAML does not. Otherwise a run does the same. */
export function yamlLosses(text: string): ConversionLoss[] {
  const { nodes, preamble } = nodesOf(readMarkup(text).blocks);
  const blocks = [...preamble, ...nodes.flatMap((node) => node.blocks)];
  const nameOf = nameFinder(nodes.map(({ heading }) => heading.name));
  const executions = blocks.filter(({ block }) => block.kind === "fence" && block.info === fenceKinds.history).length;
  return [
    ...headLosses(preamble, text),
    ...(preamble.some(isFilled) ? [{ message: "the text before the first node" }] : []),
    ...nodes.flatMap((node) => nodeLosses(node, nameOf)),
    ...(executions > 0 ? [{ message: `past executions: ${executions}` }] : []),
  ];
}

function headLosses(preamble: PlacedBlock[], text: string): ConversionLoss[] {
  const [first] = preamble;
  const fields = first?.block.kind === "frontmatter" ? readEmbeddedYaml(first, text, () => undefined)?.fields : {};
  const own = Object.keys(fields ?? {}).filter((key) => !headKeys.includes(key));
  const hasTitle = preamble.some(({ block }) => block.kind === "title");
  return [
    ...own.map((key) => ({ message: `the key ${key} of the frontmatter` })),
    ...(hasTitle && fields?.["description"] !== undefined ? [{ message: "the title, beside the description" }] : []),
  ];
}

function nodeLosses(node: MarkupNode, nameOf: ReturnType<typeof nameFinder>): ConversionLoss[] {
  const { name, channel, agent } = node.heading;
  const isScript = shellAgents.some((each) => each === agent);
  const isWordForWord = fencesOf(node, fenceKinds.spell).length > 0;
  // The prose of another node is its spell.
  const prose = isScript || isWordForWord ? proseOf(node) : [];
  const isBeside = (each: PlacedBlock): boolean =>
    isFilled(each) || (each.block.kind === "fence" && !(isScript && shellAgents.some((shell) => isFence(each, shell))));
  const data = dataOf(node).map(({ block }) => block);
  const hasTypes = (key: "takes" | "creates"): boolean =>
    data.some((each) => each[key].some(({ type }) => type !== undefined));
  const forPeople = node.blocks.flatMap(({ block }) =>
    block.kind === "branch" && block.condition !== null && isForPeople(block.condition, nameOf)
      ? [block.condition]
      : [],
  );
  const losses = [
    ...(stepNameOf(node) === name ? [] : [`its name: the step is called ${stepNameOf(node)}`]),
    ...(channel === undefined ? [] : [`the channel #${channel}`]),
    ...(prose.some(isBeside) ? ["its text beside the spell or script"] : []),
    ...(hasTypes("takes") ? ["the types of what it takes"] : []),
    ...(isScript && hasTypes("creates") ? ["the type of what it creates"] : []),
    ...forPeople.map((condition) => `the condition "${condition}", which is for people: it counts as false`),
  ];
  return losses.map((message) => ({ step: name, message }));
}

function isFence({ block }: PlacedBlock, info: string): boolean {
  return block.kind === "fence" && block.info === info;
}

function isFilled({ block }: PlacedBlock): boolean {
  return block.kind === "text" && block.text.trim() !== "";
}
