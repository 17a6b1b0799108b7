/**
 * Go's texts are bytes, and need not be whole characters. Inside the engine, a byte that is no part of a character is
 * a lone surrogate U+DC80 to U+DCFF (its value plus 0xDC00), so that texts that were cut can be joined again. Texts that
 * come in from data and go out to a reader are well-formed.
 */
const escapeBase = 0xdc00;

/** A text from outside, with U+FFFD for each surrogate that has lost its other half. */
export function toWellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Texts joined; bytes that now make a character become one. */
export function joinTexts(parts: readonly string[]): string {
  const text = parts.length === 1 ? parts[0]! : parts.join("");
  return text.isWellFormed() ? text : fromBytes(toBytes(text));
}

export function byteLength(text: string): number {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) length += 1;
    else if (unit < 0xd800 || unit > 0xdfff) length += 2;
    else if (isPair(text, at)) {
      length += 2;
      at++;
    }
  }
  return length;
}

export function toBytes(text: string): Uint8Array {
  if (text.isWellFormed()) return new TextEncoder().encode(text);
  const bytes = new Uint8Array(byteLength(text));
  const encoder = new TextEncoder();
  let length = 0;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (isBrokenByte(code)) bytes[length++] = code - escapeBase;
    else length += encoder.encodeInto(character, bytes.subarray(length)).written;
  }
  return bytes;
}

export function fromBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return decodeBroken(bytes);
  }
}

/** Whether a code point of an engine's text is a byte that is no part of a character. */
export function isBrokenByte(code: number): boolean {
  return code >= 0xdc80 && code <= 0xdcff;
}

export function brokenByteValue(code: number): number {
  return code - escapeBase;
}

/** Compares as Go does: by bytes, which is by code points. */
export function compareTexts(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    const [x, y] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (x !== y) return isSurrogate(x) || isSurrogate(y) ? compareBytes(toBytes(a), toBytes(b)) : x - y;
  }
  return a.length - b.length;
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let at = 0; at < shorter; at++) {
    if (a[at] !== b[at]) return a[at]! - b[at]!;
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function isPair(text: string, at: number): boolean {
  return text.charCodeAt(at) < 0xdc00 && at + 1 < text.length && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

function decodeBroken(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = characterSize(bytes, at);
    if (size === 0) parts.push(String.fromCharCode(escapeBase + bytes[at]!));
    else parts.push(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(at, at + size)));
    at += size || 1;
  }
  return parts.join("");
}

/** How many bytes the character that starts here has; 0 when none does. */
function characterSize(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let next = 1; next < size; next++) {
    if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  const second = bytes[at + 1]!;
  const tooLong = (first === 0xe0 && second < 0xa0) || (first === 0xf0 && second < 0x90);
  const outside = (first === 0xed && second > 0x9f) || (first === 0xf4 && second > 0x8f);
  return tooLong || outside ? 0 : size;
}
