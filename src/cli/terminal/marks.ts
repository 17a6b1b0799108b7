import { hasControls, visibleControls } from "../../text/controls.ts";

/**
 * How the program's own escape sequences are told from those in data. Each of ours stands behind a mark that is drawn
 * anew in every process, so that no file, name or message can hold it. What goes out passes `shown`, which lets marked
 * sequences through and shows every other control character as a symbol: to forget to clean a text can leak nothing.
 */

/** An escape sequence itself, without effect, so that whoever measures text knows it takes no room. */
const mark = `\x1b[${drawDigits()};${drawDigits()};${drawDigits()}m`;

function drawDigits(): number {
  return 1000 + Math.floor(Math.random() * 9000);
}

/** One of our own sequences: a colour, a move of the cursor, or a return to the beginning of the line. */
const ownSequence = /^(?:\x1b\[[\d;?]*[A-Za-z]|\r)/;

/** Puts the mark before a sequence of our own. */
export function markSequence(sequence: string): string {
  return mark + sequence;
}

/** What another process of this program printed, whose only sequences are colours of its own. */
export function markColors(printed: string): string {
  return printed.replace(/\x1b\[\d+m/g, markSequence);
}

/** A text as it may go to a terminal or a pipe: with our own sequences, and no others. */
export function sanitize(text: string): string {
  if (!hasControls(text)) return text;
  const [first = "", ...rest] = text.split(mark);
  let result = visibleControls(first);
  for (const piece of rest) {
    const sequence = ownSequence.exec(piece)?.[0] ?? "";
    result += sequence + visibleControls(piece.slice(sequence.length));
  }
  return result;
}
