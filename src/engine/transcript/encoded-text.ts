import { isUtf8 } from "node:buffer";

/**
 * A long text as it stands between its quotes in a line of JSON. Only one that JSON.stringify would write just so, and in which no
 * character takes effect where it is looked at, is kept encoded. Its bytes are valid until the next line is asked for.
 */
export class EncodedText {
  readonly bytes: Buffer;
  /** How the text begins. */
  readonly head: string;

  constructor(bytes: Buffer, head: string) {
    this.bytes = bytes;
    this.head = head;
  }

  decode(): string {
    return decoded(this.bytes);
  }
}

/** The head has so many bytes. */
const headBytes = 320;

const plain = 0;
const quote = 1;
const escape = 2;
const latinLead = 3;
const signLead = 4;
const refused = 5;

/** What a byte asks for. Of the bytes of wide characters, two may begin one that takes effect. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte === 0x7f) return refused;
  if (byte === 0x22) return quote;
  if (byte === 0x5c) return escape;
  if (byte === 0xc2) return latinLead;
  return byte === 0xe2 ? signLead : plain;
});
/** Of the escapes, only these are what JSON.stringify writes, and no control characters: `\"`, `\\`, `\n`, `\r`, `\t`. */
const usualEscapes = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\nrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

/**
 * The text that begins at `start`, behind its quote; undefined when it is short, or must be decoded. A line of JSON follows it, or
 * what is found is refused by who reads the rest.
 */
export function encodedTextAt(line: Buffer, start: number): EncodedText | undefined {
  const headEnd = textEnd(line, start, start + headBytes);
  if (headEnd < 0 || line[headEnd] === 0x22) return undefined;
  const end = textEnd(line, headEnd, line.length);
  if (end < 0 || line[end] !== 0x22) return undefined;
  const bytes = line.subarray(start, end);
  return isUtf8(bytes) ? new EncodedText(bytes, decoded(line.subarray(start, headEnd))) : undefined;
}

/** Where the text ends, or the first character at or behind `upTo` begins; -1 when it must be decoded. */
function textEnd(line: Buffer, start: number, upTo: number): number {
  const stop = Math.min(upTo, line.length);
  let at = start;
  for (;;) {
    while (at < stop && kinds[line[at]!] === plain) at += 1;
    if (at >= stop) break;
    const kind = kinds[line[at]!]!;
    if (kind === quote) return at;
    if (kind === escape && usualEscapes[line[at + 1]!] === 1) at += 2;
    // U+0080 to U+009F
    else if (kind === latinLead && line[at + 1]! >= 0xa0) at += 2;
    else if (kind === signLead && !turnsText(line[at + 1]!, line[at + 2]!)) at += 3;
    else return -1;
  }
  return wholeCharacter(line, at);
}

/** U+202A to U+202E and U+2066 to U+2069, which change the direction of text. */
function turnsText(second: number, third: number): boolean {
  return (second === 0x80 && third >= 0xaa && third <= 0xae) || (second === 0x81 && third >= 0xa6 && third <= 0xa9);
}

/** The beginning of the next character, where `at` is inside of one. */
function wholeCharacter(line: Buffer, at: number): number {
  while (at < line.length && (line[at]! & 0xc0) === 0x80) at += 1;
  return at < line.length ? at : -1;
}

function decoded(bytes: Buffer): string {
  return JSON.parse(`"${bytes.toString("utf8")}"`) as string;
}
