import type { Problem } from "../../contract/problem.ts";
import { parseMemos } from "./memo-file.ts";

/** The memos in the order of the file; none when there is no file. A file that is no list of strings has problems, and no memos. */
export function readMemos(
  text: string | undefined,
  file = ".clew/memos.yaml",
): { memos?: string[]; problems: Problem[] } {
  const read = parseMemos(text ?? "", file);
  return "problems" in read ? read : { memos: read.memos.map((memo) => memo.text), problems: [] };
}
