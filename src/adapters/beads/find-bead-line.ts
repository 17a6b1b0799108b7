import { dependenciesOf, tombstone, type Bead } from "../../contract/bead.ts";
import { damagedLine, idOf, readLine, type LineContent, type LineRange } from "./bead-lines.ts";

const newline = 0x0a;

/** A bead with its place in the file. */
export interface PlacedBead extends LineRange {
  bead: Bead;
}

/**
 * The last line of this id, also a tombstone. Only lines that may hold the id are parsed. Throws when that line is damaged;
 * damage elsewhere does not matter. `file` is the file's name for a person.
 */
export function findLine(bytes: Buffer, id: string, file: string): PlacedBead | undefined {
  const range = lastLine(bytes, id, linesWithEscapes(bytes));
  if (range?.kind === "damaged") throw damagedLine(bytes, range.start, { file, reason: range.reason });
  return range && { start: range.start, end: range.end, bead: range.bead };
}

/** Reading all lines takes as long as some forty searches for one of them. */
const maxSearches = 16;

/**
 * The bead with all that it depends on, directly or over others, and all that name it, in the order of the file, without
 * deleted and damaged ones. Undefined when there are so many that reading every line is faster.
 */
export function beadsAround(bytes: Buffer, id: string): Bead[] | undefined {
  const escaped = linesWithEscapes(bytes);
  const beadsByStart = new Map<number, Bead>();
  const find = (each: string): Bead | undefined => {
    const line = lastLine(bytes, each, escaped);
    if (line?.kind !== "bead" || line.bead.status === tombstone) return undefined;
    beadsByStart.set(line.start, line.bead);
    return line.bead;
  };
  const ids = new Set([id]);
  for (const each of ids) {
    const bead = find(each);
    for (const { depends_on_id: target } of bead ? dependenciesOf(bead) : []) ids.add(target);
    if (ids.size > maxSearches) return undefined;
  }
  for (const range of linesThatMayHave(bytes, id, escaped)) {
    const line = readLine(bytes, range);
    if (line.kind !== "bead" || ids.has(line.bead.id)) continue;
    ids.add(line.bead.id);
    if (ids.size > maxSearches) return undefined;
    find(line.bead.id);
  }
  return [...beadsByStart].toSorted(([a], [b]) => a - b).map(([, bead]) => bead);
}

type LineOfBead = LineRange & Extract<LineContent, { kind: "bead" | "damaged" }>;

/** The last line that is of this bead, whole or damaged. */
function lastLine(bytes: Buffer, id: string, escaped: readonly LineRange[]): LineOfBead | undefined {
  for (const range of linesThatMayHave(bytes, id, escaped)) {
    const line = readLine(bytes, range);
    const isBeads = line.kind === "bead" || line.kind === "damaged";
    if (isBeads && idOf(line) === id) return { ...range, ...line };
  }
  return undefined;
}

/** From the last to the first: lines that hold the id as Clew writes it, and lines with escapes. */
function* linesThatMayHave(bytes: Buffer, id: string, withEscapes: readonly LineRange[]): Generator<LineRange> {
  const quotedId = Buffer.from(JSON.stringify(id));
  const escaped = [...withEscapes];
  let at = bytes.lastIndexOf(quotedId);
  while (at >= 0 || escaped.length > 0) {
    const match = at < 0 ? undefined : lineAround(bytes, at);
    const escapedLine = escaped.at(-1);
    const isEscapedNext = escapedLine !== undefined && (match === undefined || escapedLine.start >= match.start);
    const range = isEscapedNext ? escapedLine : match!;
    if (isEscapedNext) escaped.pop();
    if (range.start === match?.start) at = match.start === 0 ? -1 : bytes.lastIndexOf(quotedId, match.start - 1);
    yield range;
  }
}

/** JSON may write any letter as `\u0041`, and a slash as `\/`, also in ids and names of fields. Few lines have any. */
function linesWithEscapes(bytes: Buffer): LineRange[] {
  const lines = new Map<number, LineRange>();
  for (const escape of ["\\u", "\\/"]) {
    for (let at = bytes.indexOf(escape); at >= 0;) {
      const range = lineAround(bytes, at);
      lines.set(range.start, range);
      at = bytes.indexOf(escape, range.end);
    }
  }
  return [...lines.values()].sort((a, b) => a.start - b.start);
}

function lineAround(bytes: Buffer, at: number): LineRange {
  const start = at === 0 ? 0 : bytes.lastIndexOf(newline, at - 1) + 1;
  const lineFeed = bytes.indexOf(newline, at);
  return { start, end: lineFeed < 0 ? bytes.length : lineFeed };
}
