import type { SecretRule } from "./rule.ts";
import { keyMask, keysOf, keyWith, nextKeyEnd } from "./trigger.ts";
import { addToList } from "../text/add-to-list.ts";

/** What a rule waits for, as bytes of a JSON text. */
interface EncodedHint {
  bytes: Buffer;
  anyCase: boolean;
}

/**
 * Tells whether nothing that a rule waits for stands in a text, without decoding it: `json` is what stands between the quotes
 * where JSON.stringify wrote the text. There each character is written in one way, so that a text with a hint in it is written
 * with the hint's own writing in it. False is no finding: then the text has to be decoded and redacted.
 */
export type HoldsNoHint = (json: Uint8Array) => boolean;

export function createEncodedFilter(rules: readonly SecretRule[]): HoldsNoHint {
  const hints = rules.flatMap(({ hints: texts, pattern }) =>
    texts.map((text) => ({ bytes: encoded(text), anyCase: pattern.ignoreCase })),
  );
  // A hint that cannot be looked for may stand anywhere.
  if (hints.some(({ bytes }) => bytes.length < 3)) return () => false;
  const isKey = new Uint8Array(keyMask + 1);
  const hintsByKey = new Map<number, EncodedHint[]>();
  for (const hint of hints) {
    for (const key of keysOf({ text: hint.bytes.toString("latin1"), anyCase: hint.anyCase })) {
      isKey[key] = 1;
      addToList(hintsByKey, key, hint);
    }
  }
  return (json) => {
    const { length } = json;
    if (length < 3) return true;
    for (let at = nextKeyEnd(json, isKey, 2, length); at < length; at = nextKeyEnd(json, isKey, at + 1, length)) {
      const key = keyWith(keyWith(json[at - 2]!, json[at - 1]!), json[at]!);
      if (hintsByKey.get(key)!.some((hint) => standsAt(json, at - 2, hint))) return false;
    }
    return true;
  };
}

/** A long value is looked for in pieces, which may begin or end between the halves of a character: the rest of it is enough. */
function encoded(hint: string): Buffer {
  const whole = hint.replace(/^[\udc00-\udfff]/, "").replace(/[\ud800-\udbff]$/, "");
  return Buffer.from(whole.isWellFormed() ? JSON.stringify(whole).slice(1, -1) : "");
}

/** Letters are compared without case by the bit that tells it. That lets a few signs pass: then the text is decoded. */
function standsAt(json: Uint8Array, start: number, { bytes, anyCase }: EncodedHint): boolean {
  if (start + bytes.length > json.length) return false;
  const caseBit = anyCase ? 0x20 : 0;
  for (let at = bytes.length - 1; at >= 0; at--) {
    if ((json[start + at]! | caseBit) !== (bytes[at]! | caseBit)) return false;
  }
  return true;
}
