import { unicodeEscape } from "../text/unicode-escape.ts";

/**
 * Structured input of a tool as a person wants to read it: one line a key, text of several lines as an indented block, in
 * a form that YAML reads as well. Only JSON that comes back as the very same text is written so.
 */

/** Values of an object or list that are short stand on one line, as JSON. */
const maxInlineLength = 100;
/** Deeper ones stand on one line however long they are. */
const maxDepth = 4;

/** The lines for `args`; undefined when they are not the text of a JSON object that can be written so. */
export function structuredLines(args: string): string[] | undefined {
  if (!args.startsWith('{"') || !args.endsWith("}")) return undefined;
  try {
    const { value, isCompact } = parse(args);
    if (!isCompact) return undefined;
    const lines = objectLines(value as object, 0);
    return readStructuredArgs(lines) === args ? lines : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A JSON object without the white space between its parts, which means nothing; undefined for any other text. Nothing else in it
 * changes.
 */
export function withoutWhiteSpace(args: string): string | undefined {
  const json = args.trim();
  if (!json.startsWith("{") || !json.endsWith("}")) return undefined;
  try {
    if (parse(json).isCompact) return json;
  } catch {
    return undefined;
  }
  let text = "";
  for (let at = 0; at < json.length;) {
    const start = at;
    if (json[at] === '"') {
      for (at++; json[at] !== '"'; at++) if (json[at] === "\\") at++;
      at++;
      text += json.slice(start, at);
    } else {
      while (at < json.length && json[at] !== '"') at++;
      text += json.slice(start, at).replace(/\s+/g, "");
    }
  }
  return text;
}

/** The JSON that was parsed last: cutting a call and rendering it both ask for the same. */
let lastParsed: ParsedArgs | undefined;

interface ParsedArgs {
  json: string;
  value: unknown;
  isCompact: boolean;
}

/** What a text of JSON says, and whether it is the very text that JSON.stringify gives. Throws where it is no JSON. */
function parse(json: string): ParsedArgs {
  if (lastParsed?.json === json) return lastParsed;
  const value: unknown = JSON.parse(json);
  return (lastParsed = { json, value, isCompact: JSON.stringify(value) === json });
}

/** Whether text of several lines stands in these args, for all that can be seen quickly. */
export function hasLines(args: string): boolean {
  return args.startsWith('{"') && args.includes("\\n");
}

function objectLines(value: object, depth: number): string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const name = isPlainKey(key) ? key : JSON.stringify(key);
    const [first = "", ...more] = valueLines(item, depth);
    return [first === "" ? `${name}:` : `${name}: ${first}`, ...more];
  });
}

function listLines(value: unknown[], depth: number): string[] {
  return value.flatMap((item) => {
    const lines = isBlock(item, depth) ? blockLines(item, depth) : valueLines(item, depth);
    // What a block has in its first line stands behind the dash, the rest below it.
    return isBlock(item, depth)
      ? lines.map((line, at) => (at === 0 ? `- ${line}` : indentLine(line)))
      : [`- ${lines[0]!}`, ...lines.slice(1)];
  });
}

/** The first line stands behind the key; an object or list begins on the next one. */
function valueLines(value: unknown, depth: number): string[] {
  if (typeof value === "string" && isBlockText(value)) return textLines(value);
  if (isBlock(value, depth)) return ["", ...blockLines(value, depth).map(indentLine)];
  return [typeof value === "string" && isPlainText(value) ? value : printable(JSON.stringify(value))];
}

function blockLines(value: object, depth: number): string[] {
  return Array.isArray(value) ? listLines(value, depth + 1) : objectLines(value, depth + 1);
}

function isBlock(value: unknown, depth: number): value is object {
  if (typeof value !== "object" || value === null || depth >= maxDepth) return false;
  const json = JSON.stringify(value);
  return json.length > 2 && (json.length > maxInlineLength || json.includes("\\n"));
}

function indentLine(line: string): string {
  return line === "" ? "" : `  ${line}`;
}

/** Text that YAML's `|` can hold. */
function isBlockText(text: string): boolean {
  if (!text.includes("\n") || /[^\P{C}\n\t]|[\u2028\u2029]/u.test(text)) return false;
  const last = text.trimEnd().length;
  return last > 0 && /^\n*$/.test(text.slice(last));
}

function textLines(text: string): string[] {
  const lines = text.split("\n");
  const endsLine = text.endsWith("\n");
  const chomping = text.endsWith("\n\n") ? "+" : endsLine ? "" : "-";
  if (endsLine) lines.pop();
  // Where the text itself begins with white space, YAML must be told how far the block is indented.
  const indent = /^\s/.test(text) ? "2" : "";
  return [`|${indent}${chomping}`, ...lines.map(indentLine)];
}

/** Words that some version of YAML takes for something else. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i;
const plainText = /^(?:[\p{L}_/$(]|\.{1,2}\/)[^\p{C}\u2028\u2029]*$/u;

function isPlainText(text: string): boolean {
  if (!plainText.test(text) || reserved.test(text)) return false;
  return !/:(?:\s|$)|\s#|\s$/u.test(text);
}

function isPlainKey(key: string): boolean {
  return /^[A-Za-z_][\w.-]*$/.test(key) && !reserved.test(key);
}

/** JSON leaves some characters as they are that YAML does not print. */
function printable(json: string): string {
  return json.replace(/[\x7f-\x9f\u2028\u2029\ufeff]/g, unicodeEscape);
}

/** The args that stand in these lines; undefined when they are not of this form. */
export function readStructuredArgs(lines: readonly string[]): string | undefined {
  const reader = new Reader(lines);
  try {
    const json = reader.object(0);
    return reader.isAtEnd() ? json : undefined;
  } catch {
    return undefined;
  }
}

class NotStructured extends Error {}

/** Reads lines as they were written, and gives back JSON text, so that numbers and the order of keys stay as they are. */
class Reader {
  readonly #lines: readonly string[];
  #at = 0;
  /** What stands behind a dash counts as a line of its own, indented by two more. */
  #dashes = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#lines.length;
  }

  object(indent: number): string {
    const members: string[] = [];
    for (let line = this.#line(indent); line !== undefined && !line.startsWith("- "); line = this.#line(indent)) {
      const key = /^(?:[A-Za-z_][\w.-]*|"(?:[^"\\]|\\.)*")(?=:(?: |$))/.exec(line)?.[0];
      if (key === undefined) throw new NotStructured();
      this.#at++;
      this.#dashes = 0;
      const name = key.startsWith('"') ? JSON.stringify(JSON.parse(key)) : JSON.stringify(key);
      members.push(`${name}:${this.#value(line.slice(key.length + 2), indent)}`);
    }
    if (members.length === 0) throw new NotStructured();
    return `{${members.join(",")}}`;
  }

  #list(indent: number): string {
    const items: string[] = [];
    for (let line = this.#line(indent); line?.startsWith("- "); line = this.#line(indent)) {
      const inner = line.slice(2);
      if (inner.startsWith("- ") || /^(?:[A-Za-z_][\w.-]*|"(?:[^"\\]|\\.)*"):(?: |$)/.test(inner)) {
        this.#dashes = indent + 2;
        items.push(inner.startsWith("- ") ? this.#list(indent + 2) : this.object(indent + 2));
      } else {
        this.#at++;
        this.#dashes = 0;
        items.push(this.#value(inner, indent));
      }
    }
    return `[${items.join(",")}]`;
  }

  #value(first: string, indent: number): string {
    if (first === "") {
      const next = this.#line(indent + 2);
      if (next === undefined) throw new NotStructured();
      return next.startsWith("- ") ? this.#list(indent + 2) : this.object(indent + 2);
    }
    if (/^\|2?[+-]?$/.test(first)) return JSON.stringify(this.#text(first, indent + 2));
    if (isPlainText(first)) return JSON.stringify(first);
    return JSON.stringify(JSON.parse(first));
  }

  #text(mark: string, indent: number): string {
    const margin = " ".repeat(indent);
    const lines: string[] = [];
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at]!;
      if (line !== "" && !line.startsWith(margin)) break;
      lines.push(line.slice(indent));
    }
    if (lines.length === 0) throw new NotStructured();
    const text = lines.join("\n");
    return mark.endsWith("-") ? text : `${text}\n`;
  }

  /** The line at hand without its indentation, if it is indented so far. */
  #line(indent: number): string | undefined {
    const line = this.#lines[this.#at];
    if (line === undefined) return undefined;
    // The dashes before it belong to the lists around it.
    if (this.#dashes === indent) return line.slice(indent);
    const isIndented = line.startsWith(" ".repeat(indent)) && line[indent] !== " " && line.length > indent;
    return isIndented ? line.slice(indent) : undefined;
  }
}
