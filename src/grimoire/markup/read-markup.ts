import type { DataName } from "../../contract/data-name.ts";
import { readDataName } from "../../contract/data-name.ts";
import { grimoireLimits } from "../../contract/grimoire-schema.ts";
import { closesFence, marginFence, type FenceMark } from "../../text/fence.ts";
import type { Report, UnplacedProblem } from "../definition/unplaced-problem.ts";
import type { Part } from "./arrows.ts";
import type { MarkupBlock, MarkupDocument } from "./document.ts";
import { readFlowLine, wrongDataName } from "./flow-lines.ts";
import { readHeading, type LineProblem } from "./heading.ts";
import { endOfContainedBlock } from "./contained-block.ts";
import { openHtmlBlock } from "./html-block.ts";
import { splitLines, type SourceLine } from "./source-lines.ts";
import { canonicalText } from "./write-markup.ts";

/** A block and where it stands. Offsets count in the whole text. */
export interface PlacedBlock {
  block: MarkupBlock;
  offset: number;
  /** The lines of a fence's or a text block's content. */
  content: SourceLine[];
  /** The nodes that a line names. */
  names: Part[];
  conditionOffset: number;
}

export interface ReadMarkup {
  document: MarkupDocument;
  blocks: PlacedBlock[];
  /** Lines that could not be read; they stand as text in the document. */
  findings: UnplacedProblem[];
}

/** Reads a workflow line by line, in one pass. Does not throw; the document holds every byte of the text. */
export function readMarkup(text: string): ReadMarkup {
  const reader = new MarkupReader(text);
  const blocks = reader.read();
  return { document: { blocks: blocks.map(({ block }) => block) }, blocks, findings: reader.findings };
}

class MarkupReader {
  readonly findings: UnplacedProblem[] = [];
  readonly #text: string;
  readonly #lines: SourceLine[];
  readonly #blocks: PlacedBlock[] = [];
  readonly #report: Report = (finding) => void this.findings.push(finding);
  /** Lines from here on are text that no block has yet. */
  #textFrom = 0;

  constructor(text: string) {
    this.#text = text;
    this.#lines = splitLines(text);
  }

  read(): PlacedBlock[] {
    let at = 0;
    if (this.#text.length > grimoireLimits.bytes) {
      this.#report({ offset: 0, message: "the file is larger than 1 MiB" });
      at = this.#lines.length;
    } else at = this.#frontmatter();
    while (at < this.#lines.length) at = this.#line(at);
    this.#endText(at);
    return this.#blocks;
  }

  /** Reads what begins at a line, and returns the line behind it. */
  #line(at: number): number {
    const { text } = this.#lines[at]!;
    const mark = marginFence(text);
    if (mark) return this.#fence(at, mark);
    const end = endOfContainedBlock(this.#lines, at);
    if (end !== undefined) return end;
    const html = openHtmlBlock(text);
    if (html) return this.#html(at, html);
    const heading = readHeading(text);
    if (heading) return this.#take(at, heading);
    const flow = readFlowLine(text);
    if (!flow) return at + 1;
    return "takes" in flow ? this.#data(at, flow.takes, flow.hasList) : this.#take(at, flow);
  }

  #take(at: number, read: LineProblem | { block: MarkupBlock; names?: Part[]; conditionAt?: number }): number {
    const { start } = this.#lines[at]!;
    if (!("block" in read)) {
      const { at: column, ...problem } = read;
      this.#report({ offset: start + column, ...problem });
    } else {
      const names = (read.names ?? []).map((each) => ({ text: each.text, at: start + each.at }));
      this.#add(at, at + 1, read.block, { names, conditionOffset: start + (read.conditionAt ?? 0) });
    }
    return at + 1;
  }

  #frontmatter(): number {
    if (!/^---[ \t]*$/.test(this.#lines[0]?.text ?? "")) return 0;
    const end = this.#lines.findIndex(({ text }, index) => index > 0 && /^---[ \t]*$/.test(text));
    if (end < 0) {
      this.#report({ offset: 0, message: "the frontmatter has no end", hint: "close it with a line of ---" });
      return this.#lines.length;
    }
    const content = this.#lines.slice(1, end);
    this.#add(0, end + 1, { kind: "frontmatter", text: this.#contentText(content) }, { content });
    return end + 1;
  }

  /** Up to its closing fence; an open one hides all that follows, so that it is an error. */
  #fence(at: number, { signs, info }: FenceMark): number {
    const end = this.#endWhere(at, (text) => closesFence(text, signs));
    if (end === undefined) return this.#unclosed(at, "code block", `a line of ${signs}`);
    const content = this.#lines.slice(at + 1, end);
    this.#add(at, end + 1, { kind: "fence", info: info.trim(), text: this.#contentText(content) }, { content });
    return end + 1;
  }

  /** A comment or another block of HTML is text, whatever stands in it. */
  #html(at: number, { name, close, ends }: NonNullable<ReturnType<typeof openHtmlBlock>>): number {
    const end = this.#endWhere(at, ends);
    return end === undefined ? this.#unclosed(at, name, close) : end + 1;
  }

  /** The first line below `at` that ends what begins there. */
  #endWhere(at: number, isEnd: (text: string) => boolean): number | undefined {
    let end = at + 1;
    while (end < this.#lines.length && !isEnd(this.#lines[end]!.text)) end++;
    return end < this.#lines.length ? end : undefined;
  }

  #unclosed(at: number, what: string, close: string): number {
    const hint = `close it with ${close}`;
    this.#report({ offset: this.#lines[at]!.start, message: `the ${what} has no end`, hint });
    return this.#lines.length;
  }

  /** `Takes … → creates:` with the list below it. */
  #data(at: number, takes: DataName[], hasList: boolean): number {
    const creates: DataName[] = [];
    let items = 0;
    let end = at + 1;
    const last = hasList ? this.#lines.length : end;
    while (end < last) {
      const { text, start } = this.#lines[end]!;
      const item = /^ {0,3}[-*+][ \t]+(?=\S)/.exec(text);
      if (!item && (items > 0 || text.trim() !== "")) break;
      if (item) {
        const name = readDataName(text.slice(item[0].length).trimEnd());
        if (name) creates.push(name);
        else this.#report({ offset: start + item[0].length, ...wrongDataName });
        items++;
      }
      end++;
    }
    if (hasList && items === 0) {
      const hint = "list it below, as - plan::Plan, or write creates nothing";
      this.#report({ offset: this.#lines[at]!.start, message: "creates: is followed by no list", hint });
      return at + 1;
    }
    this.#add(at, end, { kind: "data", takes, creates });
    return end;
  }

  #add(from: number, end: number, block: MarkupBlock, more: Partial<PlacedBlock> = {}): void {
    this.#endText(from);
    const { start } = this.#lines[from]!;
    // What a byte order mark stands before was not written so by Clew.
    const source = this.#text.slice(from === 0 ? 0 : start, this.#lines[end - 1]!.end);
    const kept = canonicalText(block) === source ? block : { ...block, written: source };
    this.#blocks.push({ block: kept, offset: start, content: [], names: [], conditionOffset: start, ...more });
    this.#textFrom = end;
  }

  /** Makes a text block of the lines before `end` that are no part of another block. */
  #endText(end: number): void {
    if (end <= this.#textFrom) return;
    const content = this.#lines.slice(this.#textFrom, end);
    const start = this.#textFrom === 0 ? 0 : content[0]!.start;
    const block: MarkupBlock = { kind: "text", text: this.#text.slice(start, content.at(-1)!.end) };
    this.#blocks.push({ block, offset: content[0]!.start, content, names: [], conditionOffset: start });
    this.#textFrom = end;
  }

  #contentText(lines: SourceLine[]): string {
    return lines.map(({ text }) => `${text}\n`).join("");
  }
}
