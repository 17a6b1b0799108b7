import { readDataName, type DataName } from "../../contract/data-name.ts";
import { splitAtArrows, splitAtCommas, type Part } from "./arrows.ts";
import type { BranchBlock, FlowBlock } from "./document.ts";
import type { LineProblem } from "./heading.ts";
import { markupLimits } from "./limits.ts";

/** Lines that say how nodes hang together: `a → b`, `If … → proceed to c`, `Takes x → creates:`. */
export type FlowLine =
  | { block: FlowBlock | BranchBlock; names: Part[]; conditionAt: number }
  | { takes: DataName[]; hasList: boolean }
  | LineProblem;

/** Undefined when the line is text: it has no arrow, or stands in a list, a quotation, a table or a block of code. */
export function readFlowLine(line: string): FlowLine | undefined {
  if (!line.includes("→") && !line.includes("->")) return undefined;
  const bullet = /^ {0,3}[-*+] +(?=If |Otherwise\b)/.exec(line)?.[0].length ?? 0;
  if (bullet === 0 && isTextLine(line)) return undefined;
  const parts = splitAtArrows(bullet === 0 ? line : " ".repeat(bullet) + line.slice(bullet));
  if (parts.length < 2) return undefined;
  const [first, ...others] = parts as [Part, ...Part[]];
  const last = others.at(-1)!;
  if (first.text.startsWith("Takes ") && /^creates\b/i.test(last.text)) return readTakes(first, others);
  const condition = /^If[ \t]+(?=\S)/.exec(first.text);
  if (condition && others.length === 1) {
    const at = first.at + condition[0].length;
    return readBranch(first.text.slice(condition[0].length), at, last);
  }
  if (/^Otherwise,?$/.test(first.text)) {
    if (others.length === 1) return readBranch(null, first.at, last);
    return { at: others[1]!.at, message: "Otherwise leads to nodes, and not further", hint: "write Otherwise → Node" };
  }
  if (condition) return { at: others[1]!.at, message: "a condition leads to nodes, and not further", hint: branchForm };
  return readFlow(parts);
}

const branchForm = "write If CONDITION → proceed to Node";

/** Whether a line is text whatever is in it. */
function isTextLine(line: string): boolean {
  return /^(?: {4}| {0,3}(?:\t|>|\||[-*+](?:[ \t]|$)|\d{1,9}[.)](?:[ \t]|$)))/.test(line);
}

function readBranch(condition: string | null, conditionAt: number, { text, at }: Part): FlowLine {
  const words = /^(?:proceed to(?:[ \t]+|$))?/i.exec(text)![0].length;
  const names = splitAtCommas({ text: text.slice(words), at: at + words });
  const problem = namesProblem(names);
  if (problem) return problem;
  return { block: { kind: "branch", condition, targets: names.map((each) => each.text) }, names, conditionAt };
}

function readFlow(parts: Part[]): FlowLine {
  const stages = parts.map(splitAtCommas);
  const names = stages.flat();
  const problem = namesProblem(names);
  if (problem) return problem;
  return {
    block: { kind: "flow", stages: stages.map((stage) => stage.map(({ text }) => text)) },
    names,
    conditionAt: 0,
  };
}

function namesProblem(names: Part[]): LineProblem | undefined {
  const empty = names.find(({ text }) => text === "");
  const hint = "write Node → Node; text with an arrow stands in `code`, or in a list";
  if (empty) return { at: empty.at, message: "a node is missing beside an arrow or a comma", hint };
  const excess = names[markupLimits.namesInLine];
  return (
    excess && {
      at: excess.at,
      message: `more than ${markupLimits.namesInLine} nodes in a line`,
      hint: "write several lines",
    }
  );
}

function readTakes(first: Part, others: Part[]): FlowLine {
  const hint = "write Takes plan, notes::Text → creates: and a list below it";
  if (others.length > 1) return { at: others[1]!.at, message: "Takes … → creates: has one arrow", hint };
  const end = others[0]!.text.replace(/^creates[ \t]*/i, "");
  if (end !== ":" && end !== "nothing") return { at: others[0]!.at, message: "creates: ends its line", hint };
  const from = "Takes".length;
  const names = splitAtCommas({ text: first.text.slice(from), at: first.at + from });
  if (names.length === 1 && names[0]!.text === "nothing") return { takes: [], hasList: end === ":" };
  const takes = names.map(({ text }) => readDataName(text));
  const wrong = takes.findIndex((each) => !each);
  if (wrong >= 0) return { at: names[wrong]!.at, ...wrongDataName };
  if (names.length > markupLimits.namesInLine)
    return { at: names[markupLimits.namesInLine]!.at, message: `takes more than ${markupLimits.namesInLine} things` };
  return { takes: takes as DataName[], hasList: end === ":" };
}

export const wrongDataName = { message: "must be like plan, plan::Plan or tests::Test[]" };
