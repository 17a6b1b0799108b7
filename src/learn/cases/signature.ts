import { trimEndOf } from "../../text/trim.ts";

/** So many characters of a failure tell it from others. */
const lookedAt = 2000;

/** What a text says, without what differs between two tellings of the same: hashes of words, in order, each once. */
export interface Signature {
  /** Folders, numbers, times, hashes, case and the order of the words are gone. */
  words: number[];
  /** Names of files and tests: two texts that name others tell of something else, however alike they are. */
  names: number[];
}

export function signatureOf(text: string): Signature {
  const looked = text.slice(0, lookedAt);
  const words: number[] = [];
  const names: number[] = [];
  for (let at = 0; at < looked.length;) {
    // Most words are plain, and their hash is taken without making texts of them.
    let end = at;
    let hash = hashStart;
    let isPlain = true;
    for (; end < looked.length; end++) {
      const code = looked.charCodeAt(end);
      const kind = code < 128 ? kinds[code]! : other;
      if (kind === between) break;
      if (kind === letter) hash = hashWith(hash, code);
      else isPlain = false;
    }
    if (end > at) {
      const normal = isPlain ? undefined : normalWord(looked.slice(at, end));
      const word = normal === undefined ? hash >>> 0 : hashOf(normal);
      words.push(word);
      if (normal?.startsWith(nameMark)) names.push(word);
    }
    at = end + 1;
  }
  for (const [, name] of looked.matchAll(testLine)) names.push(hashOf(testName(name!)));
  return { words: inOrder(words), names: inOrder(names) };
}

const [other, letter, between] = [0, 1, 2];

/** What a character of ASCII is in a word. */
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[a-z]/.test(char)) return letter;
  return /[\s"'`()[\]{}<>,;=|]/.test(char) ? between : other;
});

/** Sorts them, and keeps each once. */
function inOrder(hashes: number[], most = Infinity): number[] {
  hashes.sort((a, b) => a - b);
  let kept = 0;
  for (let at = 0; at < hashes.length && kept < most; at++)
    if (at === 0 || hashes[at] !== hashes[at - 1]) hashes[kept++] = hashes[at]!;
  hashes.length = kept;
  return hashes;
}

/** In front of the names of files and tests. */
const nameMark = "@name ";

/** `test_login`, `TestLogin::test_user`, `TestLogin`: how Python and Go name tests. */
const testWord = /^(?:\w+::)*(?:test_\w+|Test[A-Z]\w*)$/;

/** A line on which a test runner names what failed. */
const testLine =
  /^[ \t]*(?:[✕✗✘×●]|not ok \d+(?: -)?|--- FAIL:|FAIL(?:ED)?:?(?= )|\d{1,4}\)(?= ))[ \t]*([^\n]{1,300})/gm;

/** Without how long it took. */
function testName(line: string): string {
  const words = line.trim().split(/\s+/);
  while (words.length > 1 && durationWord.test(words.at(-1)!)) words.pop();
  return nameMark + words.map(normalWord).join(" ");
}

/** `5ms`, `(12`, `ms)`. */
const durationWord = /^(?:\(?[\d.]{1,12}(?:m?s)?\)?|m?s\))$/;

function normalWord(word: string): string {
  if (/^[a-z]*$/.test(word)) return word;
  if (word.includes("://")) return "@url";
  const folder = Math.max(word.lastIndexOf("/"), word.lastIndexOf("\\"));
  const last = word.slice(folder + 1);
  if (fileName.test(last)) return asName(withoutLine(last));
  if (folder >= 0) return "@path";
  if (testWord.test(word)) return asName(word);
  if (/^(?:0x[\da-f]+|(?=\D*\d)[\da-f-]{7,})$/i.test(word)) return "@hash";
  const plain = trimEndOf(word.toLowerCase(), ".:!?*…-");
  return /\d/.test(plain) ? plain.replace(/\d+/g, "#") : plain;
}

/** With the line in it, or with the test. */
const fileName = /^[A-Za-z_-][\w-]*(?:\.[\w-]+)*\.[A-Za-z]\w{0,4}(?::|$)/;

function withoutLine(file: string): string {
  const line = file.search(/:\d/);
  return line < 0 ? file : file.slice(0, line);
}

/** Its small numbers count: they tell files and tests apart. */
function asName(word: string): string {
  return nameMark + trimEndOf(word, ":.").replace(/\d{4,}/g, "#");
}

/** How many of the smallest hashes of a text are kept: enough to tell how much two texts have in common. */
const sketchSize = 48;

/** Hashes of each three words in a row, the smallest ones, in order. Texts with other names have no hash in common. */
export function sketchOf(words: readonly number[], names: readonly number[]): number[] {
  const seed = names.reduce((hash, name) => mixed(hash ^ name), 0);
  const hashes: number[] = [];
  for (let at = 0; at < Math.max(1, words.length - 2); at++)
    hashes.push(mixed(mixed(mixed((words[at] ?? 0) ^ seed) ^ (words[at + 1] ?? 0)) ^ (words[at + 2] ?? 0)));
  return inOrder(hashes, sketchSize);
}

/** What two texts have in common, from 0 to 1, estimated by their sketches. */
export function likeness(a: ArrayLike<number>, b: ArrayLike<number>): number {
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
const hashStart = 0x811c9dc5;
const hashWith = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);

export function hashOf(text: string): number {
  let hash = hashStart;
  for (let at = 0; at < text.length; at++) hash = hashWith(hash, text.charCodeAt(at));
  return hash >>> 0;
}

/** Mixes bits, so that small hashes are as good as random. */
function mixed(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
