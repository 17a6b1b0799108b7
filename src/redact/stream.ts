import { assumeRedacted, type Redacted } from "../contract/redacted.ts";
import { lookAhead, lookBehind, startPass, type Find } from "./finder.ts";
import { Writer } from "./writer.ts";

export interface RedactorStream {
  /** Takes the next piece and gives what is sure by now. Holds back at most twice the patterns' look-ahead. */
  push(chunk: string): Redacted<string>;
  /**
   * Gives the whole lines that came so far, for a person who watches a text that pauses: secrets stand on one line, but for
   * private keys and values of several lines, and one that may have begun is waited for.
   */
  settle(): Redacted<string>;
  /** Gives the rest. */
  end(): Redacted<string>;
}

const keyBegin = "-----BEGIN";
const keyEnd = "-----END";

const nothing = assumeRedacted("");

/** The first lines of values that have several, the longest first: what ends so may be the beginning of one. */
export function openingLines(values: readonly string[]): string[] {
  const openings = values.flatMap((value) => {
    const lines = value.split("\n");
    return lines.slice(1).map((_, at) => `${lines.slice(0, at + 1).join("\n")}\n`);
  });
  return openings.sort((a, b) => b.length - a.length);
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/**
 * Redacts a text that comes in pieces, exactly as if it came whole: a place is decided only once all that a pattern
 * may see from there is known. What is given out never ends between the halves of a surrogate pair, so that each
 * piece can be encoded by itself.
 */
export function createStream(find: Find, openings: readonly string[] = []): RedactorStream {
  const pass = startPass();
  const writer = new Writer();
  let text = "";
  let decided = 0;

  function advance(upTo: number): Redacted<string> {
    const output = writer.write(text, find(text, decided, upTo, pass), upTo);
    decided = upTo;
    const count = Math.max(0, decided - lookBehind);
    text = text.slice(count);
    decided -= count;
    pass.ends = pass.ends.map((end) => end - count);
    pass.doneUntil = pass.doneUntil.map((end) => end - count);
    writer.shift(count);
    return assumeRedacted(output);
  }

  return {
    push(chunk) {
      text += chunk;
      // Waiting for twice the look-ahead keeps the cost linear when chunks are small.
      if (text.length - decided < 2 * lookAhead) return nothing;
      const upTo = text.length - lookAhead;
      return advance(isHighSurrogate(text.charCodeAt(upTo - 1)) ? upTo - 1 : upTo);
    },
    settle() {
      const lines = text.slice(0, text.lastIndexOf("\n") + 1);
      const opening = openings.find((each) => lines.endsWith(each)) ?? "";
      const upTo = lines.length - opening.length;
      const key = text.lastIndexOf(keyBegin, upTo);
      const isOpen = key >= decided && !text.slice(key, upTo).includes(keyEnd);
      return upTo <= decided || isOpen ? nothing : advance(upTo);
    },
    end() {
      return advance(text.length);
    },
  };
}
