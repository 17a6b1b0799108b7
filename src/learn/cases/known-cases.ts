import type { Entry } from "../../contract/session.ts";
import type { LearningCase } from "../../contract/api/learn.ts";
import { addToList } from "../../text/add-to-list.ts";
import { failureText } from "./failure-text.ts";
import { callKey } from "./call-key.ts";
import { likeness, signatureWords, sketchOf } from "./signature.ts";

/** From here on two cases are the same in other words. */
const alike = 0.8;
/** Cases are compared where they share one of so many smallest hashes. */
const compared = 4;
/** So many cases with the same hash are compared at most: what is that frequent tells little. */
const mostCandidates = 16;
/** A failure that says less is only known by its very call. */
const fewWords = 4;

interface KnownCase {
  id: string;
  isOpen: boolean;
  sketch: Uint32Array;
}

/** Remembers cases by what they say, so that the same failure in other words is found. Its memory is small for each case. */
export class KnownCases {
  readonly #byHash = new Map<number, KnownCase[]>();

  /**
   * The id of an earlier case that says the same; undefined when there is none, and from then on this one is known. A case
   * that is resolved is no duplicate of an open one.
   */
  duplicateOf(found: LearningCase): string | undefined {
    const sketch = sketchOf(wordsOf(found));
    const isOpen = found.basis === null;
    const hashes = sketch.subarray(0, compared);
    for (const hash of hashes) {
      for (const known of (this.#byHash.get(hash) ?? []).slice(0, mostCandidates)) {
        if ((isOpen || !known.isOpen) && likeness(sketch, known.sketch) >= alike) return known.id;
      }
    }
    const known = { id: found.id, isOpen, sketch };
    for (const hash of hashes) addToList(this.#byHash, hash, known);
    return undefined;
  }
}

function wordsOf(found: LearningCase): string[] {
  if (found.type === "correction") {
    const behaviour = found.behaviour.at(-1)?.entry;
    return [
      "correction",
      ...signatureWords(textOf(found.words.entry)),
      "|",
      ...(behaviour ? signatureWords(about(behaviour)) : []),
    ];
  }
  const [first] = found.failure;
  const words = found.failure.flatMap(({ entry }) => signatureWords(failureText(entry)));
  const call = first ? about(first.entry) : "";
  return ["puzzle", ...(words.length < fewWords ? [call] : signatureWords(call)), "|", ...words];
}

function about(entry: Entry): string {
  return entry.kind === "tool" ? callKey(entry) : textOf(entry);
}

function textOf(entry: Entry): string {
  return "text" in entry ? entry.text : "";
}
