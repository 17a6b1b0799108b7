import { Fences, IndentedFences, type OpenFence } from "./fences.ts";
import { isBlank, lineAfter } from "./lines.ts";

/**
 * The one place that knows where the blocks of a session's body begin and end. It looks at the start of each line
 * and copies nothing, so that it runs at the speed of `indexOf`.
 */

export type BlockKind =
  | "title" // `# …` above everything else
  | "phase" // `## …`
  | "summary" // `## Summary` with all that a person wrote below it
  | "tools" // the line `**Tool calls:**`
  | "bullet" // one tool call with the lines indented below it
  | "comment" // `<!-- clew {…} -->`
  | "callout" // lines behind `>`, the first of them `> [!…]`
  | "tasks" // a closed ```tasks fence
  | "prose"; // anything else: a paragraph, or a fence with all that is in it

/** `end` is the start of the line behind the block. */
export type OnBlock = (kind: BlockKind, start: number, end: number) => void;

export const toolsLine = "**Tool calls:**";
const commentStart = "<!-- clew {";
const hash = 35;
const star = 42;
const dash = 45;
const less = 60;
const greater = 62;
const backtick = 96;
const tilde = 126;
const space = 32;
const newline = 10;

/**
 * Reads `text` from `from`, the start of a line. `inTools`: that line may continue a list of tool calls. Returns the
 * mark and place of the last unclosed fence, if any.
 */
export function scan(text: string, from: number, onBlock: OnBlock, inTools = false): OpenFence | undefined {
  const fences = new Fences(text);
  const indentedFences = new IndentedFences(text);
  const length = text.length;
  let at = from;
  let isFirst = from === 0;
  let isToolList = inTools;
  while (at < length) {
    const code = text.charCodeAt(at);
    const end = lineAfter(text, at);
    if (code === newline || isBlank(text, at, end)) {
      isToolList = false;
      at = end;
      continue;
    }
    let kind: BlockKind = "prose";
    let blockEnd = end;
    switch (code) {
      case dash:
        if (isToolList && text.startsWith("- `", at)) {
          kind = "bullet";
          blockEnd = bulletEnd(text, end, indentedFences);
        }
        break;
      case greater:
        if (text.startsWith("> [!", at) || text.startsWith(">[!", at)) {
          kind = "callout";
          blockEnd = calloutEnd(text, end);
        }
        break;
      case hash:
        if (text.startsWith("## ", at)) {
          kind = isSummary(text, at, end) ? "summary" : "phase";
          if (kind === "summary") blockEnd = summaryEnd(text, end);
        } else if (isFirst && text.startsWith("# ", at)) kind = "title";
        break;
      case star:
        if (text.startsWith(toolsLine, at) && isBlank(text, at + toolsLine.length, end)) kind = "tools";
        break;
      case less:
        if (isComment(text, at, end)) kind = "comment";
        break;
      case space:
        if (text.startsWith("  <", at) && isComment(text, at + 2, end)) kind = "comment";
        break;
      case backtick:
      case tilde: {
        const close = fences.endOf(at, end);
        if (close >= 0) {
          blockEnd = close;
          if (text.startsWith("```tasks", at) && isBlank(text, at + 8, end)) kind = "tasks";
        }
      }
    }
    onBlock(kind, at, blockEnd);
    isToolList = kind === "tools" || kind === "bullet" || (isToolList && (kind === "comment" || code === space));
    isFirst = false;
    at = blockEnd;
  }
  return fences.unclosed;
}

function isSummary(text: string, at: number, end: number): boolean {
  return text.startsWith("Summary", at + 3) && isBlank(text, at + 10, end);
}

function summaryEnd(text: string, from: number): number {
  const next = text.startsWith("## ", from) ? from : text.indexOf("\n## ", from - 1) + 1;
  return next === 0 ? text.length : next;
}

function isComment(text: string, at: number, end: number): boolean {
  if (!text.startsWith(commentStart, at)) return false;
  const line = text.slice(at, end).trimEnd();
  return line.indexOf("-->") === line.length - "-->".length;
}

/** A tool call goes on in the lines of a fence that is indented below it. */
function bulletEnd(text: string, from: number, fences: IndentedFences): number {
  if (!text.startsWith("  `", from) && !text.startsWith("  ~", from)) return from;
  const end = fences.endOf(from, lineAfter(text, from));
  return end < 0 ? from : end;
}

function calloutEnd(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === greater) at = lineAfter(text, at);
  return at;
}
