import { escapedControls } from "../../text/controls.ts";

/** So many elements of a list are one piece. A list that has more is long. */
const groupSize = 16;

/** Answers have their long lists further up; what nests deeper is one piece, so that each level is looked at only so often. */
const mostLevels = 8;

/** What `cleanJson` makes of a value, in pieces: the whole text of a long answer takes several times the memory of the value. */
export function* jsonPieces(value: unknown, levels = mostLevels): Generator<string> {
  if (!isLong(value, levels)) yield text(value);
  else if (Array.isArray(value)) yield* listPieces(value, levels - 1);
  else yield* recordPieces(value as Record<string, unknown>, levels - 1);
}

/** Whether there is a long list in it, within so many levels. */
function isLong(value: unknown, levels: number): boolean {
  if (levels === 0) return false;
  if (Array.isArray(value)) return value.length > groupSize || value.some((each) => isLong(each, levels - 1));
  return isRecord(value) && Object.values(value).some((each) => isLong(each, levels - 1));
}

function* listPieces(list: unknown[], levels: number): Generator<string> {
  yield "[";
  for (let at = 0; at < list.length; at += groupSize) {
    if (at > 0) yield ",";
    const group = list.slice(at, at + groupSize);
    if (group.some((each) => isLong(each, levels))) yield* elementPieces(group, levels);
    else yield text(group).slice(1, -1);
  }
  yield "]";
}

function* elementPieces(list: unknown[], levels: number): Generator<string> {
  for (const [at, each] of list.entries()) {
    if (at > 0) yield ",";
    yield* jsonPieces(each, levels);
  }
}

function* recordPieces(record: Record<string, unknown>, levels: number): Generator<string> {
  let before = "{";
  for (const [name, each] of Object.entries(record)) {
    if (each === undefined || typeof each === "function") continue;
    yield `${before}${text(name)}:`;
    yield* jsonPieces(each, levels);
    before = ",";
  }
  yield "}";
}

function text(value: unknown): string {
  return escapedControls(JSON.stringify(value) ?? "null");
}

/** Other objects may say themselves what stands for them. */
function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype && !("toJSON" in value);
}
