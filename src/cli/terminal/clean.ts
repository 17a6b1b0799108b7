import { isPrintableAscii } from "./width.ts";

/**
 * Text from a session on its way to a terminal: control characters (which could move the cursor, set colours or change
 * what was printed before) and direction overrides are shown as symbols instead of taking effect.
 */
export function clean(text: string): string {
  return isPrintableAscii(text) ? text : cleanOthers(text);
}

function cleanOthers(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (char) => {
    const code = char.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    return code === 0x7f ? "␡" : "�";
  });
}

/** The same for a single line. */
export function cleanLine(text: string): string {
  return clean(text).replace(/[\n\t]+/g, " ");
}
