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
const wide = 3;
const refused = 4;

/** What a byte asks for. */
const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte === 0x7f) return refused;
  if (byte === 0x22) return quote;
  if (byte === 0x5c) return escape;
  return byte < 0x80 ? plain : wide;
});
/** The bytes of an escape. Only these are what JSON.stringify writes, and no control characters: `\"`, `\\`, `\n`, `\r`, `\t`. */
const usualEscapes = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\nrt'.includes(String.fromCharCode(byte)) ? 2 : 0,
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
  return new EncodedText(line.subarray(start, end), decoded(line.subarray(start, headEnd)));
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
    const length = kind === wide ? wideLength(line, at) : kind === escape ? (usualEscapes[line[at + 1]!] ?? 0) : 0;
    if (length === 0) return -1;
    at += length;
  }
  return at < line.length ? at : -1;
}

/** The bytes of a wide character; 0 where they are none, or take effect where they are looked at. */
function wideLength(line: Buffer, at: number): number {
  const first = line[at]!;
  const second = line[at + 1]!;
  const third = line[at + 2]!;
  if (!isRest(second)) return 0;
  // U+0080 to U+009F are control characters.
  if (first >= 0xc2 && first <= 0xdf) return first === 0xc2 && second < 0xa0 ? 0 : 2;
  if (!isRest(third)) return 0;
  if (first >= 0xe0 && first <= 0xef) {
    const isUsual = !(first === 0xe0 && second < 0xa0) && !(first === 0xed && second >= 0xa0);
    return isUsual && !(first === 0xe2 && turnsText(second, third)) ? 3 : 0;
  }
  const isFour = first >= 0xf0 && first <= 0xf4 && isRest(line[at + 3]!);
  return isFour && !(first === 0xf0 && second < 0x90) && !(first === 0xf4 && second >= 0x90) ? 4 : 0;
}

/** Whether a byte goes on with a character. */
function isRest(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}

/** U+202A to U+202E and U+2066 to U+2069, which change the direction of text. */
function turnsText(second: number, third: number): boolean {
  return (second === 0x80 && third >= 0xaa && third <= 0xae) || (second === 0x81 && third >= 0xa6 && third <= 0xa9);
}

function decoded(bytes: Buffer): string {
  return JSON.parse(`"${bytes.toString("utf8")}"`) as string;
}
