import { isPrintable } from "../syntax/characters.ts";
import { brokenByteValue, isBrokenByte } from "../utf8.ts";

const namedEscapes: Readonly<Record<number, string>> = { 7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r" };

/** A Go string literal for a text. */
export function quoteGo(text: string, asciiOnly: boolean): string {
  const inside = text.replace(/[^ !#-[\]-~]/gu, (character) => {
    const code = character.codePointAt(0)!;
    return isBrokenByte(code) ? `\\x${hex(brokenByteValue(code), 2)}` : escapeRune(code, '"', asciiOnly);
  });
  return `"${inside}"`;
}

/** A Go character literal. */
export function quoteRune(code: number, asciiOnly: boolean): string {
  return `'${escapeRune(code, "'", asciiOnly)}'`;
}

/** Whether a text can stand between backquotes as it is. */
export function canBackquote(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code === 0xfeff || isBrokenByte(code)) return false;
    if ((code < 0x20 && code !== 9) || code === 0x60 || code === 0x7f) return false;
  }
  return true;
}

function escapeRune(code: number, delimiter: string, asciiOnly: boolean): string {
  const character = String.fromCodePoint(code);
  if (character === delimiter || character === "\\") return `\\${character}`;
  if (isPrintable(code) && (code < 0x80 || !asciiOnly)) return character;
  const letter = namedEscapes[code];
  if (letter !== undefined) return `\\${letter}`;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(value: number, length: number): string {
  return value.toString(16).padStart(length, "0");
}
