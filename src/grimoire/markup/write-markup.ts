import { writeDataName, type DataName } from "../../contract/data-name.ts";
import { fenceSigns } from "../../text/fence.ts";
import type { DataBlock, FenceBlock, MarkupBlock, MarkupDocument, NodeBlock } from "./document.ts";

/** A document as text. What was read is written as it stood. */
export function writeMarkup({ blocks }: MarkupDocument): string {
  return blocks.map((block) => block.written ?? canonicalText(block)).join("");
}

/** A block in its canonical form, however it stood in a file. */
export function canonicalText(block: MarkupBlock): string {
  switch (block.kind) {
    case "frontmatter":
      return `---\n${block.text}---\n`;
    case "title":
      return `# ${block.text}\n`;
    case "node":
      return headingText(block);
    case "flow":
      return `${block.stages.map((stage) => stage.join(", ")).join(" → ")}\n`;
    case "branch": {
      const targets = block.targets.join(", ");
      return block.condition === null
        ? `Otherwise → proceed to ${targets}\n`
        : `If ${block.condition} → proceed to ${targets}\n`;
    }
    case "data":
      return dataText(block);
    case "fence":
      return fenceText(block);
    case "text":
      return block.text;
  }
}

const marks = { critical: " !", optional: " ?" } as const;

function headingText({ level, name, agent, channel, mark }: NodeBlock): string {
  const at = agent === undefined ? "" : ` @${agent}`;
  const hash = channel === undefined ? "" : ` #${channel}`;
  return `${"#".repeat(level)} ${name}${at}${hash}${mark === undefined ? "" : marks[mark]}\n`;
}

function dataText({ takes, creates }: DataBlock): string {
  const words = (names: DataName[]): string => (names.length === 0 ? "nothing" : names.map(writeDataName).join(", "));
  const head = `Takes ${words(takes)} → creates`;
  if (creates.length === 0) return `${head} nothing\n`;
  return `${head}:\n${creates.map((each) => `- ${writeDataName(each)}\n`).join("")}`;
}

function fenceText({ info, text }: FenceBlock): string {
  const signs = fenceSigns(text, info.includes("`") ? "~" : "`");
  return `${signs}${info}\n${text}${signs}\n`;
}
