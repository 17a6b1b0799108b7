import { escapedControls, visibleControls } from "../../text/controls.ts";

/** A text from outside: what would take effect in a terminal is shown as a symbol instead. */
export function clean(text: string): string {
  return visibleControls(text);
}

/** The same for a single line. */
export function cleanLine(text: string): string {
  return visibleControls(text).replace(/[\n\t]+/g, " ");
}

/** A value as JSON for a program: the same when it is read, and without effect when it is looked at. */
export function cleanJson(value: unknown): string {
  return escapedControls(JSON.stringify(value));
}

/** Each of the values on a line of its own. */
export function jsonLines(values: unknown[]): string {
  return escapedControls(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
}
