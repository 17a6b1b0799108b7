/** Why a text is no TOML that can be edited, with the place. */
export class TomlProblem extends Error {
  constructor(what: string, line: number) {
    super(`line ${line}: ${what}`);
  }
}

/** A line that begins a table or sets a key, by its whole name: `["mcp_servers", "clew", "command"]`. */
export interface TomlKey {
  line: number;
  name: string[];
  isTable: boolean;
  /** What stands behind the `=`, as it is written; "" for a table. */
  value: string;
}

const keyPart = /[ \t]*(?:([A-Za-z0-9_-]+)|"((?:[^"\\\n]|\\[^\n])*)"|'([^'\n]*)')[ \t]*/y;

/** The tables and keys of a TOML text, but for those inside inline tables. Looks at each character once. Throws a TomlProblem. */
export function tomlKeys(text: string): TomlKey[] {
  const keys: TomlKey[] = [];
  let table: string[] = [];
  let at = text.startsWith("\ufeff") ? 1 : 0;
  let line = 1;

  const fail = (what: string): never => {
    throw new TomlProblem(what, line);
  };

  function readName(end: string): string[] {
    const name: string[] = [];
    for (;;) {
      keyPart.lastIndex = at;
      const part = keyPart.exec(text) ?? fail("no key of TOML");
      at = keyPart.lastIndex;
      name.push(part[1] ?? part[2] ?? part[3] ?? "");
      if (text[at] === ".") at += 1;
      else if (text.startsWith(end, at)) break;
      else fail(`"${end}" is missing`);
    }
    at += end.length;
    return name;
  }

  /** Goes behind a text in quotes. */
  function skipQuoted(quote: string): void {
    const triple = quote.repeat(3);
    const isLong = text.startsWith(triple, at);
    const end = isLong ? triple : quote;
    at += end.length;
    while (!text.startsWith(end, at)) {
      if (at >= text.length || (!isLong && text[at] === "\n")) fail("a text that does not end");
      if (text[at] === "\n") line += 1;
      if (quote === '"' && text[at] === "\\" && text[at + 1] !== "\n") at += 1;
      at += 1;
    }
    at += end.length;
    // Up to two more quotes belong to a long text.
    if (isLong) while (text[at] === quote) at += 1;
  }

  /** Goes to the end of a value, which may have several lines inside brackets. */
  function skipValue(): void {
    let depth = 0;
    for (; at < text.length;) {
      const sign = text[at]!;
      if (sign === '"' || sign === "'") {
        skipQuoted(sign);
        continue;
      }
      if (sign === "#") {
        skipComment();
        continue;
      }
      if (sign === "\n") {
        if (depth === 0) return;
        line += 1;
      }
      if (sign === "[" || sign === "{") depth += 1;
      if (sign === "]" || sign === "}") depth -= 1;
      at += 1;
    }
    if (depth > 0) fail("a list that does not end");
  }

  function skipComment(): void {
    at = lineEnd(text, at);
  }

  function readTable(): void {
    const isList = text.startsWith("[[", at);
    at += isList ? 2 : 1;
    const [start, name] = [line, readName(isList ? "]]" : "]")];
    table = name;
    keys.push({ line: start, name, isTable: true, value: "" });
    skipValue();
  }

  function readKey(): void {
    const [start, name] = [line, readName("=")];
    const from = at;
    skipValue();
    keys.push({ line: start, name: [...table, ...name], isTable: false, value: text.slice(from, at) });
  }

  while (at < text.length) {
    const sign = text[at]!;
    if (sign === "\n") line += 1;
    if (/[ \t\r\n]/.test(sign)) at += 1;
    else if (sign === "#") skipComment();
    else if (sign === "[") readTable();
    else readKey();
  }
  return keys;
}

/** The texts in a value, as they are written between their quotes. Looks at each character once. */
export function textsIn(value: string): string[] {
  const texts: string[] = [];
  for (let at = 0; at < value.length; at++) {
    const sign = value[at];
    if (sign === "#") at = lineEnd(value, at);
    if (sign !== '"' && sign !== "'") continue;
    const start = at + 1;
    for (at = start; at < value.length && value[at] !== sign; at++) if (sign === '"' && value[at] === "\\") at += 1;
    texts.push(value.slice(start, at));
  }
  return texts;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
