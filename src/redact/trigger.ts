import { addToList } from "../text/add-to-list.ts";

/** A literal of three characters or more that a rule waits for. */
export interface Hint {
  text: string;
  anyCase: boolean;
  /** Index of its rule. */
  rule: number;
}

type Visit = (rule: number, start: number) => void;

const pieceLength = 65_536;
const shortLength = 48;
export const keyMask = 0x3ffff;

/** Three characters in 18 bits: each further one pushes the oldest out. */
export const keyWith = (key: number, code: number): number => ((key << 6) | (code & 63)) & keyMask;

/** The keys a hint can begin with: one, or one for each way to write its first letters. */
export function keysOf({ text, anyCase }: Pick<Hint, "text" | "anyCase">): Set<number> {
  const keys = new Set<number>();
  for (let ways = 0; ways < (anyCase ? 8 : 1); ways++) {
    let key = 0;
    for (let at = 0; at < 3; at++) {
      const char = text[at]!;
      key = keyWith(key, ((ways >> at) & 1 ? char.toUpperCase() : anyCase ? char.toLowerCase() : char).charCodeAt(0));
    }
    keys.add(key);
  }
  return keys;
}

/** Letters are compared without case by the bit that tells it. That lets a few signs pass: the pattern decides. */
function standsAt(text: string, start: number, { text: hint, anyCase }: Hint): boolean {
  const caseBit = anyCase ? 0x20 : 0;
  for (let at = hint.length - 1; at >= 0; at--) {
    if ((text.charCodeAt(start + at) | caseBit) !== (hint.charCodeAt(at) | caseBit)) return false;
  }
  return true;
}

/** The next place at or after `at` where three bytes end that begin a hint; `length` if there is none. */
export function nextKeyEnd(bytes: Uint8Array, isKey: Uint8Array, at: number, length: number): number {
  let key = keyWith(bytes[at - 2]!, bytes[at - 1]!);
  for (; at < length; at++) {
    key = keyWith(key, bytes[at]!);
    if (isKey[key] !== 0) return at;
  }
  return length;
}

/**
 * Finds where hints stand, in one look at each character: this runs on everything Clew writes, and nearly all of it
 * holds no secret. The text is copied into bytes first, because reading those is several times as fast as reading
 * characters of a string; a wide character may look like another one there, but each hit is checked on the text.
 */
export function createTrigger(hints: readonly Hint[]) {
  const isKey = new Uint8Array(keyMask + 1);
  const hintsByKey = new Map<number, Hint[]>();
  for (const hint of hints) {
    for (const key of keysOf(hint)) {
      isKey[key] = 1;
      addToList(hintsByKey, key, hint);
    }
  }
  const bytes = Buffer.alloc(pieceLength + 2);

  /** Calls `visit` for each hint that begins in `from … to`, in the order of the text. */
  const visitAt = (text: string, key: number, start: number, visit: Visit): void => {
    for (const hint of hintsByKey.get(key)!) if (standsAt(text, start, hint)) visit(hint.rule, start);
  };

  return function forEachHit(text: string, from: number, to: number, visit: Visit): void {
    // Copying a short text takes longer than reading it.
    if (to - from <= shortLength) {
      const end = Math.min(to + 2, text.length);
      let key = keyWith(text.charCodeAt(from), text.charCodeAt(from + 1));
      for (let at = from + 2; at < end; at++) {
        key = keyWith(key, text.charCodeAt(at));
        if (isKey[key] !== 0) visitAt(text, key, at - 2, visit);
      }
      return;
    }
    for (let pieceStart = from; pieceStart < to; pieceStart += pieceLength) {
      const length = bytes.write(text.slice(pieceStart, Math.min(pieceStart + pieceLength, to) + 2), "latin1");
      for (let at = nextKeyEnd(bytes, isKey, 2, length); at < length; at = nextKeyEnd(bytes, isKey, at + 1, length)) {
        const key = keyWith(keyWith(bytes[at - 2]!, bytes[at - 1]!), bytes[at]!);
        visitAt(text, key, pieceStart + at - 2, visit);
      }
    }
  };
}
