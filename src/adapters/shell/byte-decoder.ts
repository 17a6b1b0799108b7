/** What an invalid byte is told as: U+DC80 for 0x80. No valid text holds such half of a character. */
const firstMark = 0xdc00;

/**
 * Decodes UTF-8 that comes in pieces, never splitting a character. A byte that is no UTF-8 becomes half of a character, U+DC80 to
 * U+DCFF, so that `bytesOf` gives back what came.
 */
export class ByteDecoder {
  #rest: Buffer = Buffer.alloc(0);

  write(bytes: Buffer): string {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const end = all.length - cutOffLength(all);
    this.#rest = Buffer.from(all.subarray(end));
    return decode(all.subarray(0, end));
  }

  end(): string {
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    return decode(rest);
  }
}

/** The bytes of a text that a ByteDecoder made. */
export function bytesOf(text: string): Buffer {
  const parts: Buffer[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.codePointAt(at)!;
    if (unit > 0xffff) at++;
    if (unit < firstMark + 0x80 || unit > firstMark + 0xff) continue;
    parts.push(Buffer.from(text.slice(start, at)), Buffer.from([unit - firstMark]));
    start = at + 1;
  }
  return Buffer.concat([...parts, Buffer.from(text.slice(start))]);
}

function decode(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  // Only where something was replaced, or the engine itself prints that sign, is it worth looking again.
  return text.includes("\ufffd") ? decodeSlowly(bytes) : text;
}

function decodeSlowly(bytes: Buffer): string {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < bytes.length;) {
    const length = characterLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    parts.push(bytes.toString("utf8", start, at), String.fromCharCode(firstMark + bytes[at]!));
    start = ++at;
  }
  return [...parts, bytes.toString("utf8", start)].join("");
}

/** How many bytes the character there has; 0 when there is none. */
function characterLength(bytes: Buffer, at: number): number {
  const length = lengthByLead(bytes[at]!);
  if (length < 2) return length;
  const second = bytes[at + 1] ?? 0;
  const [least, most] = secondRange(bytes[at]!);
  if (second < least || second > most) return 0;
  for (let next = at + 2; next < at + length; next++) if (!isFollower(bytes[next] ?? 0)) return 0;
  return length;
}

function lengthByLead(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/** Neither longer forms of short characters, nor halves of characters, nor what comes after the last one. */
function secondRange(lead: number): [number, number] {
  if (lead === 0xe0) return [0xa0, 0xbf];
  if (lead === 0xed) return [0x80, 0x9f];
  if (lead === 0xf0) return [0x90, 0xbf];
  return lead === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf];
}

function isFollower(byte: number): boolean {
  return byte >= 0x80 && byte <= 0xbf;
}

/** The bytes at the end that a character begins with whose rest may still come. */
function cutOffLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (isFollower(byte)) continue;
    return lengthByLead(byte) > back ? back : 0;
  }
  return 0;
}
