import type { Edit } from "../../contract/plan.ts";
import { describeClosest } from "./closest-text.ts";
import { lineNumbersOf } from "./line-numbers.ts";

interface EditedText {
  text: string;
  /** What was not found exactly once, with its line in the plan. */
  refusals: { line: number; reason: string }[];
}

/** What is closest is looked for this often; where more is missing, the first ones tell why. */
const maxLooks = 5;
/** So many places are named. */
const maxPlaces = 10;

/**
 * Replaces one text after the other. Each has to stand exactly once in the file as the edits before it left it; those that do not are
 * refused, and the others still looked for, so that all is told at once. In a file whose lines all end in CRLF, line ends of the edits
 * are meant as CRLF. What is not found is not touched: byte order mark, line ends, and the end of the file stay.
 */
export function editText(before: string, edits: readonly Edit[]): EditedText {
  const isCrlf = endsInCrlf(before);
  const refusals: EditedText["refusals"] = [];
  let text = before;
  let looks = 0;
  for (const edit of edits) {
    const find = isCrlf ? toCrlf(edit.find) : edit.find;
    const at = find === "" ? -1 : text.indexOf(find);
    const again = at === -1 ? -1 : text.indexOf(find, at + 1);
    if (at !== -1 && again === -1) {
      const replace = isCrlf ? toCrlf(edit.replace) : edit.replace;
      text = text.slice(0, at) + replace + text.slice(at + find.length);
    } else {
      const reason =
        at !== -1
          ? severalPlaces(text, find, at)
          : `FIND stands nowhere in it${looks++ < maxLooks ? describeClosest(text, find) : ""}`;
      refusals.push({ line: edit.line, reason });
    }
  }
  return { text, refusals };
}

function endsInCrlf(text: string): boolean {
  let at = text.indexOf("\n");
  if (at === -1) return false;
  for (; at !== -1; at = text.indexOf("\n", at + 1)) if (text[at - 1] !== "\r") return false;
  return true;
}

function toCrlf(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\n", "\r\n");
}

function severalPlaces(text: string, find: string, first: number): string {
  const offsets: number[] = [];
  let more = 0;
  // Places that overlap count, too, as far as they are named.
  for (let at = first; at !== -1;) {
    if (offsets.length < maxPlaces) offsets.push(at);
    else more++;
    at = text.indexOf(find, at + (offsets.length < maxPlaces ? 1 : find.length));
  }
  const lines = lineNumbersOf(text, offsets).join(", ");
  const others = more === 0 ? "" : ` and ${more} more`;
  return `FIND stands in it ${offsets.length + more} times, in lines ${lines}${others}; take more of the lines around it`;
}
