import type { Bead } from "../contract/bead.ts";
import type { Json } from "../contract/json.ts";

interface Member {
  name: string;
  /** Offsets of the whole member, `"name": value`. */
  start: number;
  valueStart: number;
  end: number;
}

/**
 * The line of a bead with some of its fields changed. What did not change keeps its very letters: order, spaces, escapes,
 * and numbers that JavaScript cannot hold. `line` is a JSON object; new fields come last. `letters` has the letters of
 * values that come from another line; they are taken as they are.
 */
export function spliceMembers(
  line: string,
  before: Bead,
  after: Bead,
  letters: ReadonlyMap<string, string> = new Map(),
): string {
  const members = membersOf(line);
  const lastOfName = new Map(members.map((member) => [member.name, member]));
  const textOf = (name: string): string => letters.get(name) ?? JSON.stringify(after[name]);
  let result = line;
  // From the end, so that offsets before it stay right.
  for (const member of members.toReversed()) {
    const { name, start, valueStart, end } = member;
    if (after[name] === undefined) {
      const [from, to] = withSeparator(result, start, end);
      result = result.slice(0, from) + result.slice(to);
    } else if (lastOfName.get(name) === member && (letters.has(name) || !isSame(before[name], after[name]))) {
      result = result.slice(0, valueStart) + textOf(name) + result.slice(end);
    }
  }
  const added = Object.keys(after).filter((name) => !lastOfName.has(name) && after[name] !== undefined);
  if (added.length === 0) return result;
  const { afterComma, afterColon } = styleOf(line, members);
  const newMembers = added.map((name) => `${JSON.stringify(name)}:${afterColon}${textOf(name)}`);
  return withMembers(result, newMembers, afterComma);
}

/** The letters of each value of a line; of several members of one name the last. */
export function lettersOf(line: string): Map<string, string> {
  return new Map(membersOf(line).map(({ name, valueStart, end }) => [name, line.slice(valueStart, end)]));
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

interface Style {
  afterComma: string;
  afterColon: string;
}

/** How the line writes its members, so that new ones look like the others. */
function styleOf(line: string, [first, second]: Member[]): Style {
  if (!first) return { afterComma: "", afterColon: "" };
  const between = second ? line.slice(first.end, second.start) : "";
  const colon = line.slice(first.start, first.valueStart);
  return { afterComma: between.slice(between.indexOf(",") + 1), afterColon: colon.slice(colon.lastIndexOf(":") + 1) };
}

function withMembers(line: string, texts: string[], afterComma: string): string {
  const end = membersOf(line).at(-1)?.end;
  const at = end ?? line.indexOf("{") + 1;
  const added = texts.join(`,${afterComma}`);
  return line.slice(0, at) + (end === undefined ? "" : `,${afterComma}`) + added + line.slice(at);
}

/** The member with the comma that goes with it: the one after it, or the one before when it is the last. */
function withSeparator(line: string, start: number, end: number): [number, number] {
  const after = /^\s*,\s*/.exec(line.slice(end))?.[0];
  if (after !== undefined) return [start, end + after.length];
  const before = /,\s*$/.exec(line.slice(0, start))?.[0] ?? "";
  return [start - before.length, end];
}

/** The members of the object that a line is; the line has been parsed, so that its form need not be doubted. */
function membersOf(line: string): Member[] {
  const members: Member[] = [];
  let at = line.indexOf("{") + 1;
  for (;;) {
    at = skip(line, at, /[\s,]*/y);
    if (line[at] !== '"') return members;
    const start = at;
    at = skip(line, at, string);
    const name = JSON.parse(line.slice(start, at)) as string;
    const valueStart = skip(line, at, /\s*:\s*/y);
    at = valueEnd(line, valueStart);
    members.push({ name, start, valueStart, end: at });
  }
}

const string = /"(?:[^"\\]|\\.)*"/y;

function valueEnd(line: string, start: number): number {
  if (line[start] === '"') return skip(line, start, string);
  if (line[start] !== "{" && line[start] !== "[") return skip(line, start, /[^\s,}\]]+/y);
  let depth = 0;
  for (let at = start; ;) {
    const letter = line[at];
    if (letter === '"') {
      at = skip(line, at, string);
      continue;
    }
    at++;
    if (letter === "{" || letter === "[") depth++;
    else if (letter === "}" || letter === "]") depth--;
    if (depth === 0) return at;
  }
}

/** Where a match at this very place ends. */
function skip(line: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at;
  return pattern.test(line) ? pattern.lastIndex : at;
}
