import { trimEndOf } from "../../text/trim.ts";

/** So many characters of a failure tell it from others. */
const lookedAt = 2000;

/**
 * The words of a text without what differs between two tellings of the same: paths, numbers, times, hashes, case, and the order in which they
 * stand. Each word is there once.
 */
export function signatureWords(text: string): string[] {
  const words = new Set<string>();
  for (const word of text.slice(0, lookedAt).split(/[\s"'`()[\]{}<>,;=|]+/)) words.add(normalWord(word));
  words.delete("");
  return [...words].sort();
}

function normalWord(word: string): string {
  if (/^[a-z]*$/.test(word)) return word;
  if (word.includes("/") || word.includes("\\")) return "@path";
  if (/^(?:0x[\da-f]+|(?=\D*\d)[\da-f-]{7,})$/i.test(word)) return "@hash";
  if (/^[\w-]+\.[a-z]{1,4}(?::\d|$)/i.test(word)) return "@path";
  const plain = trimEndOf(word.toLowerCase(), ".:!?*…-");
  return /\d/.test(plain) ? plain.replace(/\d+/g, "#") : plain;
}

/** How many of the smallest hashes of a text are kept: enough to tell how much two texts have in common. */
const sketchSize = 48;

/** Hashes of each three words in a row, the smallest ones, in order. */
export function sketchOf(words: readonly string[]): Uint32Array {
  const ofWords = Uint32Array.from(words, hashOf);
  const hashes = new Uint32Array(Math.max(1, words.length - 2));
  for (let at = 0; at < hashes.length; at++)
    hashes[at] = mixed(mixed(mixed(ofWords[at] ?? 0) ^ (ofWords[at + 1] ?? 0)) ^ (ofWords[at + 2] ?? 0));
  hashes.sort();
  let kept = 0;
  for (let at = 0; at < hashes.length && kept < sketchSize; at++)
    if (at === 0 || hashes[at] !== hashes[at - 1]) hashes[kept++] = hashes[at]!;
  return hashes.subarray(0, kept);
}

/** What two texts have in common, from 0 to 1, estimated by their sketches. */
export function likeness(a: Uint32Array, b: Uint32Array): number {
  let [inA, inB, shared, all] = [0, 0, 0, 0];
  const most = Math.max(a.length, b.length);
  while (all < most && (inA < a.length || inB < b.length)) {
    const left = inA < a.length ? a[inA]! : Infinity;
    const right = inB < b.length ? b[inB]! : Infinity;
    if (left === right) shared++;
    if (left <= right) inA++;
    if (right <= left) inB++;
    all++;
  }
  return all === 0 ? 1 : shared / all;
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Mixes bits, so that small hashes are as good as random. */
function mixed(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
