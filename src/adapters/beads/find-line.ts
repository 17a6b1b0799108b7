import { dependenciesOf, tombstone, type Bead } from "../../contract/bead.ts";
import { damagedLine, readLine, type LineContent, type Place } from "./bead-lines.ts";

const newline = 0x0a;

/** A bead with its place in the file. */
export interface PlacedBead extends Place {
  bead: Bead;
}

/**
 * The last line of this id: the newer one where there are several. Only lines that may hold the id are parsed. Tombstones are
 * found too. Throws when a line of this very bead is damaged; damage elsewhere does not matter. `file` is what a person calls
 * the file.
 */
export function findLine(bytes: Buffer, id: string, file: string): PlacedBead | undefined {
  const place = lastLine(bytes, id, linesWithEscapes(bytes));
  if (place?.kind === "damaged") throw damagedLine(bytes, place.start, { file, reason: place.reason });
  return place && { start: place.start, end: place.end, bead: place.bead };
}

/** Reading all lines takes as long as some forty searches for one of them. */
const mostSearches = 16;

/**
 * The bead with all that it depends on, directly or over others, and all that name it, in the order of the file. Deleted and
 * damaged ones count as not there. Undefined when these are so many that one had better read every line.
 */
export function beadsAround(bytes: Buffer, id: string): Bead[] | undefined {
  const escaped = linesWithEscapes(bytes);
  const found = new Map<number, Bead>();
  const find = (each: string): Bead | undefined => {
    const line = lastLine(bytes, each, escaped);
    if (line?.kind !== "bead" || line.bead.status === tombstone) return undefined;
    found.set(line.start, line.bead);
    return line.bead;
  };
  const ids = new Set([id]);
  for (const each of ids) {
    const bead = find(each);
    for (const { depends_on_id: target } of bead ? dependenciesOf(bead) : []) ids.add(target);
    if (ids.size > mostSearches) return undefined;
  }
  for (const place of linesThatMayHave(bytes, id, escaped)) {
    const line = readLine(bytes, place);
    if (line.kind !== "bead" || ids.has(line.bead.id)) continue;
    ids.add(line.bead.id);
    if (ids.size > mostSearches) return undefined;
    find(line.bead.id);
  }
  return [...found].toSorted(([a], [b]) => a - b).map(([, bead]) => bead);
}

type LineOfBead = Place & Extract<LineContent, { kind: "bead" | "damaged" }>;

/** The last line that is of this bead, whole or damaged. */
function lastLine(bytes: Buffer, id: string, escaped: readonly Place[]): LineOfBead | undefined {
  for (const place of linesThatMayHave(bytes, id, escaped)) {
    const line = readLine(bytes, place);
    if (line.kind === "bead" && line.bead.id === id) return { ...place, ...line };
    if (line.kind === "damaged" && line.id === id) return { ...place, ...line };
  }
  return undefined;
}

/** From the last to the first: lines that hold the id as we would write it, and those with letters that are written as escapes. */
function* linesThatMayHave(bytes: Buffer, id: string, withEscapes: readonly Place[]): Generator<Place> {
  const wanted = Buffer.from(JSON.stringify(id));
  const escaped = [...withEscapes];
  let at = bytes.lastIndexOf(wanted);
  while (at >= 0 || escaped.length > 0) {
    const own = at < 0 ? undefined : lineAround(bytes, at);
    const other = escaped.at(-1);
    const isOther = other !== undefined && (own === undefined || other.start >= own.start);
    const place = isOther ? other : own!;
    if (isOther) escaped.pop();
    if (place.start === own?.start) at = own.start === 0 ? -1 : bytes.lastIndexOf(wanted, own.start - 1);
    yield place;
  }
}

/** JSON may write any letter as `\u0041`, and a slash as `\/`, in ids and in the names of fields, too. Few lines have any. */
function linesWithEscapes(bytes: Buffer): Place[] {
  const lines = new Map<number, Place>();
  for (const escape of ["\\u", "\\/"]) {
    for (let at = bytes.indexOf(escape); at >= 0;) {
      const place = lineAround(bytes, at);
      lines.set(place.start, place);
      at = bytes.indexOf(escape, place.end);
    }
  }
  return [...lines.values()].sort((a, b) => a.start - b.start);
}

function lineAround(bytes: Buffer, at: number): Place {
  const start = at === 0 ? 0 : bytes.lastIndexOf(newline, at - 1) + 1;
  const found = bytes.indexOf(newline, at);
  return { start, end: found < 0 ? bytes.length : found };
}
