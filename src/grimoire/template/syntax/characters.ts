import { countUpTo } from "../../text/count-up-to.ts";
import { printableBorders } from "./printable-table.ts";

export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0d || code === 0x0a;
}

export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

const letterOrDigit = /^[\p{L}\p{Nd}]$/u;

/** Whether a character may stand in a name. */
export function isAlphaNumeric(code: number): boolean {
  if (code < 0x80) {
    return isDigit(code) || code === 0x5f || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  }
  return letterOrDigit.test(String.fromCodePoint(code)) && isPrintable(code);
}

/** Whether a character shows in print, as Go 1.19 sees it. Spaces other than the plain one do not. */
export function isPrintable(code: number): boolean {
  if (code < 0x80) return code >= 0x20 && code < 0x7f;
  return countUpTo(borders, code) % 2 === 1;
}

const borders: readonly number[] = readBorders();

function readBorders(): number[] {
  let at = 0;
  return printableBorders.split(" ").map((distance) => (at += Number.parseInt(distance, 36)));
}
