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
 * mark and place of the last fence that nobody closed, if any.
 */
export function scan(text: string, from: number, onBlock: OnBlock, inTools = false): OpenFence | undefined {
  const fences = new FenceFinder(text);
  const length = text.length;
  let at = from;
  let first = from === 0;
  let tools = inTools;
  while (at < length) {
    const code = text.charCodeAt(at);
    const end = lineAfter(text, at);
    if (code === newline || isBlank(text, at, end)) {
      tools = false;
      at = end;
      continue;
    }
    let kind: BlockKind = "prose";
    let blockEnd = end;
    switch (code) {
      case dash:
        if (tools && text.startsWith("- `", at)) {
          kind = "bullet";
          blockEnd = bulletEnd(text, end);
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
        } else if (first && text.startsWith("# ", at)) kind = "title";
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
    tools = kind === "tools" || kind === "bullet" || (tools && (kind === "comment" || code === space));
    first = false;
    at = blockEnd;
  }
  return fences.unclosed;
}

function lineAfter(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code !== space && code !== newline && code !== 9 && code !== 13) return false;
  }
  return true;
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
  const close = text.indexOf("-->", at);
  return close >= 0 && close < end && isBlank(text, close + 3, end);
}

/** A tool call goes on in lines that are indented, and in empty lines inside its fence. */
function bulletEnd(text: string, from: number): number {
  if (text.charCodeAt(from) !== space || (!text.startsWith("  `", from) && !text.startsWith("  ~", from))) return from;
  const opening = lineAfter(text, from);
  const ticks = /^ {2}(`{3,}|~{3,})/.exec(text.slice(from, opening))?.[1];
  if (ticks === undefined) return from;
  const close = text.indexOf(`\n  ${ticks}\n`, opening - 1);
  if (close >= 0) return close + ticks.length + 4;
  return text.endsWith(`\n  ${ticks}`) ? text.length : from;
}

function calloutEnd(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === greater) at = lineAfter(text, at);
  return at;
}

export interface OpenFence {
  mark: string;
  at: number;
}

/**
 * Finds where a fence ends. A fence that nobody closed is not one: it must not swallow what follows. Nor may it be
 * closed by a fence of Clew's own, so the search ends where Clew wrote a phase or a task list.
 */
class FenceFinder {
  /** The last fence that was not closed. */
  unclosed: OpenFence | undefined;
  /** For each mark, the length from which on there is no closing fence before the end of the text. */
  private readonly noneFrom = new Map<string, number>();

  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  endOf(at: number, lineEnd: number): number {
    const open = /^(`{3,}(?=[^`]*$)|~{3,})/.exec(this.text.slice(at, lineEnd).trimEnd())?.[1];
    if (open === undefined) return -1;
    const known = this.noneFrom.get(open[0]!);
    const end = known !== undefined && known <= open.length ? -1 : this.search(open, lineEnd);
    if (end < 0) this.unclosed = { mark: open, at };
    return end;
  }

  private search(open: string, from: number): number {
    for (let line = from; line < this.text.length;) {
      const end = lineAfter(this.text, line);
      if (this.text.charCodeAt(line) === open.charCodeAt(0) && this.closes(open, line, end)) return end;
      if (open.length === 3 && this.isOurs(line, end)) return -1;
      line = end;
    }
    this.noneFrom.set(open[0]!, open.length);
    return -1;
  }

  /** Who shows such lines inside a fence on purpose takes a longer fence. */
  private isOurs(line: number, end: number): boolean {
    return (
      this.text.startsWith('<!-- clew {"id":', line) ||
      (this.text.startsWith("```tasks", line) && isBlank(this.text, line + 8, end))
    );
  }

  private closes(open: string, line: number, end: number): boolean {
    let at = line;
    while (this.text.charCodeAt(at) === open.charCodeAt(0)) at++;
    return at - line >= open.length && isBlank(this.text, at, end);
  }
}
