import { Fences } from "./fences.ts";
import { MergeConflict } from "./frontmatter/frontmatter.ts";
import { lineAfter } from "./lines.ts";

/** Throws when git left a conflict in the body. Nothing is read or written before a person has chosen between the two texts. */
export function refuseConflict(text: string, bodyStart: number): void {
  const body = text.slice(bodyStart);
  const at = conflictAt(body);
  if (at < 0) return;
  const line = text.slice(0, bodyStart + at).split("\n").length;
  throw new MergeConflict(`line ${line}: a merge conflict that git left`);
}

/**
 * Where a conflict begins; -1 when there is none. What a closed fence at the margin shows is text; Clew itself writes no such lines
 * outside of one. A task list is Clew's own, and shows nothing.
 */
function conflictAt(body: string): number {
  if (!body.startsWith("<<<<<<< ") && !body.includes("\n<<<<<<< ")) return -1;
  const fences = new Fences(body);
  for (let at = 0, end = 0; at < body.length; at = end) {
    end = lineAfter(body, at);
    if (body.startsWith("<<<<<<< ", at)) return isClosed(body, end) ? at : -1;
    const close = body.startsWith("```tasks", at) ? -1 : fences.endOf(at, end);
    if (close >= 0) end = close;
  }
  return -1;
}

/** Whether the two other marks follow. */
function isClosed(body: string, from: number): boolean {
  const middle = /^={7}\r?$/m.exec(body.slice(from - 1));
  return middle !== null && body.includes("\n>>>>>>> ", from - 1 + middle.index);
}
