import { trimEndOf } from "../../text/trim.ts";

/** So many characters of a failure tell it from others. */
const lookedAt = 2000;

/** What a text says, without what differs between two tellings of the same. */
export interface Signature {
  /** Its words, each once, in one order. Folders, numbers, times, hashes and case are gone. */
  words: string[];
  /** Names of files and tests: two texts that name others tell of something else, however alike they are. */
  names: string[];
}

export function signatureOf(text: string): Signature {
  const looked = text.slice(0, lookedAt);
  const words = new Set<string>();
  const names = new Set<string>();
  for (const word of looked.split(/[\s"'`()[\]{}<>,;=|]+/)) {
    const normal = normalWord(word);
    words.add(normal);
    if (normal.startsWith(nameMark)) names.add(normal);
  }
  for (const [, name] of looked.matchAll(testLine)) names.add(testName(name!));
  words.delete("");
  return { words: [...words].sort(), names: [...names].sort() };
}

/** In front of the names of files and tests. */
const nameMark = "@name ";

/** `test_login`, `TestLogin::test_user`, `TestLogin`: how Python and Go name tests. */
const testWord = /^(?:\w+::)*(?:test_\w+|Test[A-Z]\w*)$/;

/** A line on which a test runner names what failed. */
const testLine =
  /^[ \t]*(?:[✕✗✘×●]|not ok \d+(?: -)?|--- FAIL:|FAIL(?:ED)?:?(?= )|\d{1,4}\)(?= ))[ \t]*([^\n]{1,300})/gm;

/** Without its place, and how long it took. */
function testName(line: string): string {
  const name = line.replace(/[ \t]*\(?\b[\d.]+ ?m?s\b\)?[ \t]*$/, "");
  return nameMark + name.split(/\s+/).map(normalWord).join(" ");
}

function normalWord(word: string): string {
  if (/^[a-z]*$/.test(word)) return word;
  if (word.includes("://")) return "@url";
  const folder = Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\"));
  const last = word.slice(folder + 1);
  if (fileName.test(last)) return asName(last.replace(/:\d.*$/, ""));
  if (folder >= 0) return "@path";
  if (testWord.test(word)) return asName(word);
  if (/^(?:0x[\da-f]+|(?=\D*\d)[\da-f-]{7,})$/i.test(word)) return "@hash";
  const plain = trimEndOf(word.toLowerCase(), ".:!?*…-");
  return /\d/.test(plain) ? plain.replace(/\d+/g, "#") : plain;
}

/** With the line in it, or with the test. */
const fileName = /^[A-Za-z_-][\w-]*(?:\.[\w-]+)*\.[A-Za-z]\w{0,4}(?::|$)/;

/** Its small numbers count: they tell files and tests apart. */
function asName(word: string): string {
  return nameMark + trimEndOf(word, ":.").replace(/\d{4,}/g, "#");
}

/** How many of the smallest hashes of a text are kept: enough to tell how much two texts have in common. */
const sketchSize = 48;

/** Hashes of each three words in a row, the smallest ones, in order. Texts with other names have no hash in common. */
export function sketchOf(words: readonly string[], names: readonly string[]): Uint32Array {
  const seed = names.reduce((hash, name) => mixed(hash ^ hashOf(name)), 0);
  const ofWords = Uint32Array.from(words, hashOf);
  const hashes = new Uint32Array(Math.max(1, words.length - 2));
  for (let at = 0; at < hashes.length; at++)
    hashes[at] = mixed(mixed(mixed((ofWords[at] ?? 0) ^ seed) ^ (ofWords[at + 1] ?? 0)) ^ (ofWords[at + 2] ?? 0));
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
