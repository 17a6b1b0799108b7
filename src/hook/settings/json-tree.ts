/** A value in a JSON text, with where it stands. Comments and a comma behind the last member are let pass, as engines do. */
export interface JsonNode {
  kind: "object" | "array" | "text" | "other";
  start: number;
  /** Behind its last character. */
  end: number;
  /** Of an object or array, in their order. */
  members: JsonMember[];
  /** Of a text. */
  text?: string;
}

export interface JsonMember {
  /** Of an object's member. */
  key?: string;
  /** Where the key stands, or the value of an array's. */
  start: number;
  value: JsonNode;
}

/** Why a text is no JSON, with the place. */
export class JsonProblem extends Error {
  constructor(what: string, text: string, at: number) {
    super(`line ${text.slice(0, at).split("\n").length}: ${what}`);
  }
}

const maxDepth = 200;
const plainValue = /[^\s,\]}:"'[{/]+/y;
const jsonLiteral = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;

/** Reads a JSON text. Throws a JsonProblem. */
export function parseTree(text: string): JsonNode {
  let at = text.startsWith("\ufeff") ? 1 : 0;

  function fail(what: string): never {
    throw new JsonProblem(what, text, at);
  }

  function skipSpace(): void {
    for (;;) {
      const sign = text[at];
      if (sign === " " || sign === "\t" || sign === "\n" || sign === "\r") at += 1;
      else if (text.startsWith("//", at)) skipTo(text.indexOf("\n", at), text.length);
      else if (text.startsWith("/*", at)) {
        const end = text.indexOf("*/", at + 2);
        if (end < 0) fail("a comment that does not end");
        at = end + 2;
      } else return;
    }
  }

  function skipTo(end: number, otherwise: number): void {
    at = end < 0 ? otherwise : end;
  }

  function readText(): string {
    const start = at;
    for (at += 1; text[at] !== '"'; at += text[at] === "\\" ? 2 : 1) {
      if (at >= text.length || text[at] === "\n") fail("a text that does not end");
    }
    at += 1;
    try {
      return JSON.parse(text.slice(start, at)) as string;
    } catch {
      return fail("a text that is not well-formed");
    }
  }

  function readValue(depth: number): JsonNode {
    if (depth > maxDepth) fail("nested too deeply");
    const start = at;
    const sign = text[at];
    if (sign === "{" || sign === "[") {
      const kind = sign === "{" ? "object" : "array";
      const members = readMembers(kind, depth);
      return { kind, start, end: at, members };
    }
    if (sign === '"') {
      const read = readText();
      return { kind: "text", start, end: at, members: [], text: read };
    }
    plainValue.lastIndex = at;
    const word = plainValue.exec(text)?.[0] ?? "";
    if (!jsonLiteral.test(word)) fail(at >= text.length ? "it ends too early" : "no value of JSON");
    at += word.length;
    return { kind: "other", start, end: at, members: [] };
  }

  function readMembers(kind: "object" | "array", depth: number): JsonMember[] {
    const close = kind === "object" ? "}" : "]";
    const members: JsonMember[] = [];
    for (at += 1; ; at += 1) {
      skipSpace();
      if (text[at] === close) break;
      members.push(readMember(kind, depth));
      skipSpace();
      if (text[at] === close) break;
      if (text[at] !== ",") fail(`a comma or ${close} is missing`);
    }
    at += 1;
    return members;
  }

  function readMember(kind: "object" | "array", depth: number): JsonMember {
    const start = at;
    if (kind === "array") return { start, value: readValue(depth + 1) };
    if (text[at] !== '"') fail("a key is missing");
    const key = readText();
    skipSpace();
    if (text[at] !== ":") fail("a colon is missing");
    at += 1;
    skipSpace();
    return { key, start, value: readValue(depth + 1) };
  }

  skipSpace();
  const root = readValue(0);
  skipSpace();
  if (at < text.length) fail("more behind the end");
  return root;
}
