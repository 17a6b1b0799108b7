import { lookAhead, lookBehind, startPass, type Find } from "./finder.ts";
import { createWriter } from "./writer.ts";

export interface RedactorStream {
  /** Takes the next piece and gives what is sure by now. Holds back at most twice the patterns' look-ahead. */
  push(chunk: string): string;
  /** Gives the rest. */
  end(): string;
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/**
 * Redacts a text that comes in pieces, exactly as if it came whole: a place is decided only once all that a pattern
 * may see from there is known. What is given out never ends between the halves of a surrogate pair, so that each
 * piece can be encoded by itself.
 */
export function createStream(find: Find): RedactorStream {
  const pass = startPass();
  const writer = createWriter();
  let text = "";
  let decided = 0;

  function advance(upTo: number): string {
    const output = writer.write(text, find(text, decided, upTo, pass), upTo);
    decided = upTo;
    const count = Math.max(0, decided - lookBehind);
    text = text.slice(count);
    decided -= count;
    pass.ends = pass.ends.map((end) => end - count);
    pass.doneUntil = pass.doneUntil.map((end) => end - count);
    writer.dropped(count);
    return output;
  }

  return {
    push(chunk) {
      text += chunk;
      // Waiting for twice the look-ahead keeps the cost linear when chunks are small.
      if (text.length - decided < 2 * lookAhead) return "";
      const upTo = text.length - lookAhead;
      return advance(isHighSurrogate(text.charCodeAt(upTo - 1)) ? upTo - 1 : upTo);
    },
    end() {
      return advance(text.length);
    },
  };
}
