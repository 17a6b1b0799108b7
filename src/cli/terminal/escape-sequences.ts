import { hasControls, visibleControls } from "../../text/controls.ts";

/**
 * How the program's own escape sequences are told from those in data. Each of its own stands behind a mark that is drawn
 * anew in every process, so that no file, name or message can hold it. All output passes `sanitize`, which lets marked
 * sequences through and shows every other control character as a symbol: a text that a view forgot to clean does no harm.
 */

/** Itself an escape sequence without effect, so that it has no width where text is measured. */
const mark = `\x1b[${drawDigits()};${drawDigits()};${drawDigits()}m`;

function drawDigits(): number {
  return 1000 + Math.floor(Math.random() * 9000);
}

/** A colour, a move of the cursor, or a return to the beginning of the line. */
const ownSequence = /^(?:\x1b\[[\d;?]*[A-Za-z]|\r)/;

export function markSequence(sequence: string): string {
  return mark + sequence;
}

/** Marks the colours in what another process of this program, or git, printed. They are its only sequences. */
export function markColors(output: string): string {
  return output.replace(/\x1b\[[\d;]*m/g, markSequence);
}

/** A text as it may go to a terminal or a pipe: without marks, and with no other sequences than the marked ones. */
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
