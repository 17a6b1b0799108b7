import { isScalar, isSeq, LineCounter, parseDocument, type CST, type Scalar, type YAMLSeq } from "yaml";
import type { Problem } from "../../contract/problem.ts";
import { yamlWords } from "../../contract/yaml-messages.ts";
import { isNestedTooDeeply } from "../../contract/yaml-nesting.ts";

/** Where a memo stands in the file: from its dash, or from its text in a list in [], to the end of its text. */
export interface MemoPlace {
  text: string;
  start: number;
  end: number;
  /** Text of many lines behind | or >, whose end is the start of a line. */
  isBlock: boolean;
}

/** The file of memos: a list, and how it is written. */
export interface MemoFile {
  memos: MemoPlace[];
  /** Offsets behind `[` and of `]` of a list in brackets. */
  brackets?: { open: number; close: number };
}

/** In characters. Memos go into every context. */
const maxLength = 1024 * 1024;
const listForm = "a list of texts: one `- text` a line";

/** Reads the file; nothing in it is an empty list. What is no list of strings comes back as problems. */
export function parseMemos(text: string, file: string): MemoFile | { problems: Problem[] } {
  const lines = new LineCounter();
  const problemAt = (offset: number, message: string, hint = listForm): Problem => {
    const { line, col } = lines.linePos(offset);
    return { severity: "error", file, line: Math.max(line, 1), column: Math.max(col, 1), message, hint };
  };
  if (text.length > maxLength) return { problems: [problemAt(0, "the file is longer than 1 MiB", "a shorter one")] };
  if (isNestedTooDeeply(text)) return { problems: [problemAt(0, "nested too deeply to be read")] };
  // Silent, the parser would leave out a second document.
  const options = { lineCounter: lines, prettyErrors: false, logLevel: "error", keepSourceTokens: true } as const;
  const { contents, errors } = parseDocument(text, options);
  if (errors.length > 0) {
    const problems = errors.map((error) => {
      const { message, hint } = yamlWords(error);
      return problemAt(error.pos[0], message, hint);
    });
    return { problems };
  }
  if (contents === null || (isScalar(contents) && contents.value === null)) return { memos: [] };
  if (!isSeq(contents)) return { problems: [problemAt(contents.range[0], "the file is no list")] };
  return readList(contents, problemAt);
}

function readList(
  list: YAMLSeq,
  problemAt: (offset: number, message: string) => Problem,
): MemoFile | { problems: Problem[] } {
  const token = list.srcToken as CST.BlockSequence | CST.FlowCollection;
  const problems: Problem[] = [];
  const memos: MemoPlace[] = [];
  list.items.forEach((item, index) => {
    const dash = token.items[index]?.start.find(({ type }) => type === "seq-item-ind")?.offset;
    if (isScalar(item) && typeof item.value === "string" && item.range) memos.push(placeOf(item, item.value, dash));
    else {
      const offset = (isScalar(item) || isSeq(item)) && item.range ? item.range[0] : (dash ?? list.range![0]);
      problems.push(problemAt(offset, "a memo is a text, in quotes where YAML would read something else"));
    }
  });
  if (problems.length > 0) return { problems };
  if (token.type !== "flow-collection") return { memos };
  return { memos, brackets: { open: token.start.offset + 1, close: token.end[0]!.offset } };
}

function placeOf(item: Scalar, text: string, dash: number | undefined): MemoPlace {
  const [start, end] = item.range!;
  const isBlock = item.type === "BLOCK_LITERAL" || item.type === "BLOCK_FOLDED";
  return { text, start: dash ?? start, end, isBlock };
}
