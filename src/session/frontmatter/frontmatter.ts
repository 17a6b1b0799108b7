import { utf8Length } from "../text.ts";
import { readValue, renderValue } from "./value.ts";

/** One top-level key with the lines that belong to it, as they stand in the file. */
interface Field {
  key: string;
  lines: string;
}

/** The block between the two `---` lines, kept line by line so that what Clew does not know survives every update. */
export interface FrontmatterBlock {
  fields: Field[];
  /** Comment lines at the end that give an update of a large file room to be written in place; else empty. */
  padding: string;
  /** The mark of byte order that some editors put before everything; else empty. */
  mark: string;
  /** A key stood there twice, as a merge may leave it; the next save point writes it once. */
  hadDuplicateKey: boolean;
  /** Length of the whole block in the file, mark and both `---` lines included: in characters and in bytes. */
  length: number;
  bytes: number;
}

/** Why a session cannot be read, in words for a person. */
export class Damaged extends Error {
  override name = "Damaged";
}

/** Git could not merge two versions of the file by itself. */
export class MergeConflict extends Damaged {}

const byteOrderMark = "\uFEFF";
const paddingLine = /^#\.*$/;
const initialRoom = 480;
const keyLine = /^(?:([A-Za-z_][\w-]*)|"([A-Za-z_][\w-]*)"):(?:[ \t]|$)/;

/** The order in which Clew writes the keys it knows; what it does not know stands behind them. */
const order = [
  "type session_id title status started ended kind channel model participants tokens_used cost_usd",
  "subagents resume_point paused parent bead run branch commit engine_sessions begun_below error archived",
]
  .join(" ")
  .split(" ");

/** Finds the block at the start of a file; line ends may be CRLF. */
export function readBlock(text: string): FrontmatterBlock {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  const opening = /^---\r?\n/.exec(text.slice(mark.length, mark.length + 5))?.[0];
  const start = opening === undefined ? 0 : mark.length + opening.length;
  if (start === 0) throw new Damaged("line 1: the file does not begin with the `---` of its frontmatter");
  const close = /^---[ \t]*(?:\r?\n|$)/m.exec(text.slice(start));
  if (!close) throw new Damaged("the frontmatter that begins in line 1 has no closing `---`");
  const length = start + close.index + close[0].length;
  const inner = text.slice(start, start + close.index).replace(/\r\n/g, "\n");
  const conflict = inner.search(/^<{7} /m);
  if (conflict >= 0) {
    throw new MergeConflict(`line ${inner.slice(0, conflict).split("\n").length + 1}: a merge conflict that git left`);
  }
  const { fields, padding } = readFields(inner);
  const uniqueFields = eachKeyOnce(fields);
  const hadDuplicateKey = uniqueFields.length < fields.length;
  return {
    fields: uniqueFields,
    padding,
    hadDuplicateKey,
    mark,
    length,
    bytes: utf8Length(text.slice(0, length)),
  };
}

/** These follow from the body: whatever a line says, the next save point makes it true. */
const derivedKeys = new Set(["participants", "tokens_used", "subagents"]);

/** Git may merge two versions so that a key stands there twice. That is no harm where both say the same. */
function eachKeyOnce(fields: Field[]): Field[] {
  const uniqueFields: Field[] = [];
  const placeOf = new Map<string, number>();
  let line = 2;
  for (const field of fields) {
    const { key, lines } = field;
    const place = placeOf.get(key);
    if (key === "" || key === "?") uniqueFields.push(field);
    else if (place === undefined) placeOf.set(key, uniqueFields.push(field) - 1);
    else if (derivedKeys.has(key)) uniqueFields[place] = field;
    else if (!haveSameValue(uniqueFields[place]!, field)) {
      throw new Damaged(
        `line ${line}: \`${key}\` stands there a second time and says something else; one of the two has to go`,
      );
    }
    line += lines.split("\n").length - 1;
  }
  return uniqueFields;
}

function haveSameValue(one: Field, other: Field): boolean {
  if (one.lines === other.lines) return true;
  const value = readValue(one.key, one.lines);
  return value !== undefined && JSON.stringify(value) === JSON.stringify(readValue(other.key, other.lines));
}

function readFields(inner: string): Pick<FrontmatterBlock, "fields" | "padding"> {
  const lines = inner.split("\n").slice(0, -1);
  let end = lines.length;
  while (end > 0 && paddingLine.test(lines[end - 1]!)) end--;
  const fields: Field[] = [];
  for (const line of lines.slice(0, end)) {
    const match = keyLine.exec(line);
    const last = fields.at(-1);
    if (match) fields.push({ key: (match[1] ?? match[2])!, lines: `${line}\n` });
    else if (isStandalone(line)) fields.push({ key: "", lines: `${line}\n` });
    else if (last && last.key !== "") last.lines += `${line}\n`;
    else fields.push({ key: "?", lines: `${line}\n` });
  }
  const paddingLines = lines.slice(end).map((line) => `${line}\n`);
  return { fields, padding: paddingLines.join("") };
}

/** Comments and empty lines at the margin belong to no key, so that a change of one leaves them alone. */
function isStandalone(line: string): boolean {
  return line.startsWith("#") || /^[ \t]*$/.test(line);
}

/** All values, or `undefined` when some line needs a YAML reader. */
export function readValues(block: FrontmatterBlock): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  for (const { key, lines } of block.fields) {
    if (key === "") continue;
    const value = key === "?" || Object.hasOwn(values, key) ? undefined : readValue(key, lines);
    if (value === undefined) return undefined;
    values[key] = value;
  }
  return values;
}

/** The text between the `---` lines, for a YAML reader. */
export function innerText(block: FrontmatterBlock): string {
  return block.fields.map((field) => field.lines).join("");
}

/** A new block with these values. */
export function renderBlock(values: Record<string, unknown>): string {
  return renderPlain(
    setValues({ fields: [], padding: "", hadDuplicateKey: false, mark: "", length: 0, bytes: 0 }, values),
  );
}

/** The block as text, without room for updates in place. */
export function renderPlain(block: FrontmatterBlock): string {
  return block.mark + frame(innerText(block));
}

/** The block with some values changed (`undefined` removes a key). Lines of other keys are not touched. */
export function setValues(block: FrontmatterBlock, changes: Record<string, unknown>): FrontmatterBlock {
  let fields = block.fields;
  for (const [key, value] of Object.entries(changes)) {
    const at = fields.findIndex((field) => field.key === key);
    if (value === undefined) fields = fields.filter((_, index) => index !== at);
    else if (at >= 0) fields = fields.with(at, { key, lines: withComment(renderValue(key, value), fields[at]!.lines) });
    else fields = fields.toSpliced(placeFor(key, fields), 0, { key, lines: renderValue(key, value) });
  }
  return { ...block, fields };
}

/** A remark that a person put behind a value stays behind the new one. */
function withComment(rendered: string, before: string): string {
  const remark = /^[^"'#\n]*[^"'#\s]([ \t]+#[^\n]*)\n/.exec(before)?.[1];
  if (remark === undefined || rendered.indexOf("\n") !== rendered.length - 1) return rendered;
  return `${rendered.slice(0, -1)}${remark}\n`;
}

function placeFor(key: string, fields: Field[]): number {
  const rank = order.indexOf(key);
  // What a person arranged is not pulled apart.
  if (rank < 0 || fields.some((field) => !order.includes(field.key))) return fields.length;
  const before = fields.findLastIndex((field) => order.includes(field.key) && order.indexOf(field.key) < rank);
  return before + 1;
}

/**
 * The block as text of exactly `bytes` bytes, so that it can be written over the old one in place;
 * `undefined` when it no longer fits.
 */
export function renderInPlace(block: FrontmatterBlock, bytes: number): string | undefined {
  const inner = innerText(block);
  const room = bytes - utf8Length(block.mark + frame(inner));
  return room === 0 || room >= 2 ? block.mark + frame(inner + pad(room)) : undefined;
}

/** The block for a large file that is written anew, with twice the room it had. */
export function renderRoomier(block: FrontmatterBlock): string {
  return block.mark + frame(innerText(block) + pad(Math.max(initialRoom, 2 * block.padding.length)));
}

function frame(inner: string): string {
  return `---\n${inner}---\n`;
}

/** `bytes` bytes of comment lines (0, or at least 2). */
function pad(bytes: number): string {
  const width = 100;
  let text = "";
  let remaining = bytes;
  while (remaining > width + 1) {
    text += `#${".".repeat(width - 2)}\n`;
    remaining -= width;
  }
  return remaining === 0 ? text : `${text}#${".".repeat(remaining - 2)}\n`;
}
