import type { Entry } from "../../contract/session.ts";
import type { Correction, LearningCase, Puzzle } from "../../contract/api/learn.ts";
import { detached } from "../../text/detached.ts";
import { failureText } from "./failure-text.ts";
import { isShortened } from "../../session/results.ts";
import { callKey, shellCommand } from "./call-key.ts";
import { hashOf, likeness, signatureOf, sketchOf } from "./signature.ts";

/** From here on two cases are the same in other words. */
const alike = 0.8;
/** Cases are compared where they share one of so many smallest hashes. */
const compared = 4;
/** So many cases with the same hash are compared at most: what is that frequent tells little. */
const mostCandidates = 16;
/** A failure that says less is only known by its very call. */
const fewWords = 4;
/** A call with more words is compared as a whole. */
const mostCallWords = 16;

/** Ends a chain of links. */
const none = -1;

/**
 * Remembers cases by what they say, so that the same failure in other words is found. Of each case it keeps the sketch and the id, in lists of
 * numbers: hundreds of thousands of small objects would take several times as much.
 */
export class KnownCases {
  readonly #ids: string[] = [];
  readonly #isOpen: boolean[] = [];
  /** Where the sketch of each case begins in `#sketches`; the last is where the next one will. */
  readonly #starts: number[] = [0];
  #sketches = new Uint32Array(1 << 12);
  /** The last link with a hash. Link `compared * n + i` is the hash `i` of case `n`, and leads to an earlier link with the same hash. */
  readonly #lastLink = new Map<number, number>();
  readonly #links: number[] = [];

  /**
   * The id of an earlier case that says the same; undefined when there is none, and from then on this one is known. A case
   * that is resolved is no duplicate of an open one.
   */
  duplicateOf(found: LearningCase): string | undefined {
    const sketch = sketchOfCase(found);
    const known = this.#like(found, sketch);
    if (known === undefined) this.#add(found, sketch);
    return known;
  }

  /** The same, without making this one known. */
  find(found: LearningCase): string | undefined {
    return this.#like(found, sketchOfCase(found));
  }

  #like(found: LearningCase, sketch: readonly number[]): string | undefined {
    const isOpen = found.basis === null;
    for (let at = 0; at < Math.min(compared, sketch.length); at++) {
      let link = this.#lastLink.get(sketch[at]!) ?? none;
      for (let looked = 0; link !== none && looked < mostCandidates; looked++) {
        const known = Math.floor(link / compared);
        if ((isOpen || !this.#isOpen[known]) && likeness(sketch, this.#sketch(known)) >= alike) return this.#ids[known];
        link = this.#links[link]!;
      }
    }
    return undefined;
  }

  #sketch(known: number): Uint32Array {
    return this.#sketches.subarray(this.#starts[known], this.#starts[known + 1]);
  }

  #add({ id, basis }: LearningCase, sketch: readonly number[]): void {
    const number = this.#ids.push(detached(id)) - 1;
    this.#isOpen.push(basis === null);
    const start = this.#starts.at(-1)!;
    if (start + sketch.length > this.#sketches.length) {
      const larger = new Uint32Array(2 * this.#sketches.length);
      larger.set(this.#sketches);
      this.#sketches = larger;
    }
    this.#sketches.set(sketch, start);
    this.#starts.push(start + sketch.length);
    for (let at = 0; at < compared; at++) {
      const hash = sketch[at];
      this.#links.push(hash === undefined ? none : (this.#lastLink.get(hash) ?? none));
      if (hash !== undefined) this.#lastLink.set(hash, compared * number + at);
    }
  }
}

/** The words of a case, and the names that another has to have as well. */
interface CaseWords {
  words: number[];
  names: number[];
}

const [puzzleWord, correctionWord, divider] = ["puzzle", "correction", "|"].map(hashOf) as [number, number, number];

function sketchOfCase(found: LearningCase): number[] {
  const { words, names } = wordsOf(found);
  return sketchOf(words, names);
}

function wordsOf(found: LearningCase): CaseWords {
  return found.type === "correction" ? correctionWords(found) : puzzleWords(found);
}

function correctionWords({ words, behaviour }: Correction): CaseWords {
  const said = signatureOf(textOf(words.entry));
  const last = behaviour.at(-1)?.entry;
  const done = last ? callWords(about(last), signatureOf(about(last)).words) : [];
  return { words: [...said.words, divider, ...done], names: [correctionWord, ...said.names] };
}

function puzzleWords({ id, failure }: Puzzle): CaseWords {
  const [first] = failure;
  const call = first ? about(first.entry) : "";
  const ofCall = signatureOf(call);
  const told = failure.map(({ entry }) => signatureOf(failureText(entry)));
  const names = told.flatMap((each) => each.names);
  const all = first && isCommand(first.entry) ? [...names, ...ofCall.names] : names;
  // Of a failure whose end is not known, only the very same words say the same, and only where they name what failed.
  if (failure.some(({ entry }) => isCutShort(entry))) {
    const texts = failure.map(({ entry }) => hashOf(failureText(entry)));
    return { words: [hashOf(call), ...texts], names: names.length === 0 ? [hashOf(id)] : [puzzleWord, ...all] };
  }
  const words = told.flatMap((each) => each.words);
  return {
    words: [...(words.length < fewWords ? [hashOf(call)] : callWords(call, ofCall.words)), divider, ...words],
    names: [puzzleWord, ...all],
  };
}

/** What a long command says would outweigh what came of it: it counts as one word. */
function callWords(call: string, words: readonly number[]): readonly number[] {
  return words.length > mostCallWords ? [hashOf(call)] : words;
}

/** Whether only the beginning of its output is known. */
function isCutShort(entry: Entry): boolean {
  return isShortened(entry) && entry.result_full === undefined;
}

/** A command names what it is about; of other calls, the file that they are about is one like another. */
function isCommand(entry: Entry): boolean {
  return entry.kind === "tool" && shellCommand(entry) !== undefined;
}

function about(entry: Entry): string {
  return entry.kind === "tool" ? callKey(entry) : textOf(entry);
}

function textOf(entry: Entry): string {
  return "text" in entry ? entry.text : "";
}
