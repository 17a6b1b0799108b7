import { trimEndOf } from "../../text/trim.ts";

/** So many characters of a failure tell it from others. */
const lookedAt = 2000;

/** The words of a text without what differs between two tellings of the same: paths, numbers, times, hashes, case. */
export function signatureWords(text: string): string[] {
  return text
    .slice(0, lookedAt)
    .split(/[\s"'`()[\]{}<>,;=|]+/)
    .map(normalWord)
    .filter((word) => word !== "");
}

function normalWord(word: string): string {
  if (word.includes("/") || word.includes("\\")) return "@path";
  if (/^[\da-f-]{7,}$/i.test(word) && /\d/.test(word)) return "@hash";
  if (/^[\w-]+\.[a-z]{1,4}(?::\d|$)/i.test(word)) return "@path";
  const plain = trimEndOf(word.toLowerCase(), ".:!?*…-");
  return /\d/.test(plain) ? plain.replace(/\d+/g, "#") : plain;
}

/** How many of the smallest hashes of a text are kept: enough to tell how much two texts have in common. */
const sketchSize = 48;

/** Hashes of each three words in a row, the smallest ones, in order. */
export function sketchOf(words: readonly string[]): Uint32Array {
  const hashes = new Set<number>();
  const last = Math.max(1, words.length - 2);
  for (let at = 0; at < last; at++) hashes.add(hashOf(words.slice(at, at + 3).join(" ")));
  return Uint32Array.from(hashes).sort().slice(0, sketchSize);
}

/** What two texts have in common, from 0 to 1, estimated by their sketches. */
export function likeness(a: Uint32Array, b: Uint32Array): number {
  let [inA, inB, shared, all] = [0, 0, 0, 0];
  const most = Math.max(a.length, b.length);
  while (all < most && (inA < a.length || inB < b.length)) {
    const [left, right] = [a[inA] ?? Infinity, b[inB] ?? Infinity];
    if (left === right) shared++;
    if (left <= right) inA++;
    if (right <= left) inB++;
    all++;
  }
  return all === 0 ? 1 : shared / all;
}

/** FNV-1a, with its bits mixed once more so that small hashes are as good as random. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
