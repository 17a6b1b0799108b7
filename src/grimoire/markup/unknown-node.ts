import { nearest } from "../../text/nearest.ts";
import { didYouMean } from "../definition/words.ts";
import type { FlowBlock } from "./document.ts";

interface Finding {
  message: string;
  hint: string;
}

/** A name in a line of the flow, or behind a condition, that no heading has. */
export function unknownNode(name: string, names: string[], isBranch: boolean): Finding {
  const way = name.includes("::")
    ? dataForm("x")
    : isBranch
      ? "nodes are headings such as ## Name; where nothing follows, write → skip"
      : "nodes are headings such as ## Name; text with an arrow stands in `code`, or in a list";
  const hint = didYouMean(nearest(name.slice(0, 200), names)) ?? way;
  return { message: `there is no node ${shortened(name)}`, hint };
}

/** A line with arrows that names no node at all: it tells of data, or is a sentence. */
export function noNodes({ stages }: FlowBlock): Finding {
  const names = stages.flat();
  const line = stages.map((stage) => stage.join(", ")).join(" → ");
  const first = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(names[0]!) ? names[0]! : "x";
  const text = "for text, put it in `code` or in a list";
  return {
    message: `an arrow leads from node to node, and these are no nodes: ${shortened(line)}`,
    hint: `${dataForm(first)}; ${text}`,
  };
}

function dataForm(name: string): string {
  return `for data, write Takes ${name} → creates: and a list below the node's heading`;
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
}
