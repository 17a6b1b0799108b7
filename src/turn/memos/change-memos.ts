import { parse } from "yaml";
import type { MemoChange } from "../../contract/plan.ts";
import type { Problem } from "../../contract/problem.ts";
import { escapedControls } from "../../text/controls.ts";
import { parseMemos, type MemoFile, type MemoPlace } from "./memo-file.ts";
import { readMemos } from "./read-memos.ts";

export interface ChangedMemos {
  /** The file's new text; the same as before when no change had an effect. */
  text: string;
  /** One for each change, in order: why it changed nothing, or undefined. */
  ignored: (string | undefined)[];
}

/** Adds and removes memos by their exact text. Everything else stays byte for byte. Refuses a file that is no list of strings. */
export function changeMemos(
  text: string | undefined,
  changes: readonly MemoChange[],
  file = ".clew/memos.yaml",
): ChangedMemos | { problems: Problem[] } {
  const before = text ?? "";
  const read = parseMemos(before, file);
  if ("problems" in read) return read;
  const texts = new Set(read.memos.map((memo) => memo.text));
  const ignored = changes.map(({ change, text: memo }) => {
    const isThere = texts.has(memo);
    if (change === "add") texts.add(memo);
    else texts.delete(memo);
    return isThere === (change === "add") ? (isThere ? "it is there already" : "it is not there") : undefined;
  });
  const kept = read.memos.filter((memo) => texts.has(memo.text));
  const added = [...texts].filter((memo) => !read.memos.some((each) => each.text === memo));
  const removed = read.memos.filter((memo) => !texts.has(memo.text));
  if (added.length === 0 && removed.length === 0) return { text: before, ignored };
  const after = read.brackets ? editBrackets(before, read, kept, added) : editLines(before, read, removed, added);
  const expected = [...kept.map((memo) => memo.text), ...added];
  if (JSON.stringify(readMemos(after, file).memos) === JSON.stringify(expected)) return { text: after, ignored };
  const message = "the file is written in a form that cannot be changed safely";
  const hint = "write it as a plain list: one `- text` a line";
  return { problems: [{ severity: "error", file, line: 1, column: 1, message, hint }] };
}

/** A list with a dash before each memo: whole lines go and come. */
function editLines(text: string, { memos }: MemoFile, removed: MemoPlace[], added: string[]): string {
  const last = memos.at(-1);
  const lineEnd = /\r\n/.test(text) ? "\r\n" : "\n";
  const indent = last ? text.slice(lineStart(text, last.start), last.start) : "";
  const lines = added.map((memo) => `${indent}- ${memoText(memo)}`);
  const pieces: string[] = [];
  let at = 0;
  for (const memo of removed) {
    pieces.push(text.slice(at, lineStart(text, memo.start)));
    at = lineAfter(text, memo);
  }
  if (lines.length === 0) return [...pieces, text.slice(at)].join("");
  const place = Math.max(at, last ? lineAfter(text, last) : text.length);
  const head = [...pieces, text.slice(at, place)].join("");
  const isOpen = head !== "" && !head.endsWith("\n");
  // A file whose last line has no end still has none; a new one has.
  const block = lines.join(lineEnd);
  return isOpen ? `${head}${lineEnd}${block}` : `${head}${block}${lineEnd}${text.slice(place)}`;
}

/** A list in brackets: only what stands in them is written anew. */
function editBrackets(text: string, { brackets }: MemoFile, kept: MemoPlace[], added: string[]): string {
  const { open, close } = brackets!;
  const entries = [...kept.map((memo) => text.slice(memo.start, memo.end)), ...added.map((memo) => quote(memo))];
  return `${text.slice(0, open)}${entries.join(", ")}${text.slice(close)}`;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function lineAfter(text: string, { end, isBlock }: MemoPlace): number {
  if (isBlock && text[end - 1] === "\n") return end;
  const at = text.indexOf("\n", end);
  return at === -1 ? text.length : at + 1;
}

/** Without quotes where every reader of YAML reads back the same. */
function memoText(memo: string): string {
  const isPlain = /^[A-Za-z][\w ,.;()/'"+=@%&*!?-]*$/.test(memo) && !memo.endsWith(" ") && parse(memo) === memo;
  return isPlain && !/^(?:y|yes|n|no|on|off)$/i.test(memo) ? memo : quote(memo);
}

function quote(memo: string): string {
  return escapedControls(JSON.stringify(memo));
}
