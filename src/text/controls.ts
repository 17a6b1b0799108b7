import { unicodeEscape } from "./unicode-escape.ts";

/**
 * Characters that would take effect where a text is looked at: control characters, which move the cursor, set colours or
 * change what was printed before, and what overrides the direction of text. Line ends and tabs are none.
 */
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const allControls = new RegExp(controls, "g");
const allButReturns = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export function hasControls(text: string): boolean {
  return controls.test(text);
}

/** The text with a symbol in place of each: `␛`, `␡`, or `�` where there is none. */
export function visibleControls(text: string): string {
  return hasControls(text) ? text.replace(allControls, symbolOf) : text;
}

/** The same for a file, where a carriage return is part of a line end. */
export function visibleInFile(text: string): string {
  return hasControls(text) ? text.replace(allButReturns, symbolOf) : text;
}

/** JSON in which each is written as `\uXXXX`: the same when it is read. */
export function escapedControls(json: string): string {
  if (!hasControls(json)) return json;
  return json.replace(allControls, unicodeEscape);
}

function symbolOf(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : "�";
}
