import { fromBytes, toBytes } from "../utf8.ts";

const simpleEscapes: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92 };

interface Character {
  /** A character, or a byte when it was written as \xNN or \NNN. */
  code: number;
  isByte: boolean;
  /** Where the rest begins. */
  next: number;
}

/** The text that a Go string literal stands for; undefined when it is none. */
export function unquote(literal: string): string | undefined {
  const inside = literal.slice(1, -1);
  if (literal.startsWith("`")) return inside.replaceAll("\r", "");
  if (!inside.includes("\\")) return inside;
  const bytes: number[] = [];
  for (let at = 0; at < inside.length;) {
    const character = unquoteCharacter(inside, at, '"');
    if (character === undefined) return undefined;
    bytes.push(...(character.isByte ? [character.code] : toBytes(String.fromCodePoint(character.code))));
    at = character.next;
  }
  return fromBytes(Uint8Array.from(bytes));
}

/** The character that a constant like 'x' stands for; undefined when it is none. */
export function unquoteRune(literal: string): number | undefined {
  const character = unquoteCharacter(literal, 1, "'");
  return character !== undefined && character.next === literal.length - 1 ? character.code : undefined;
}

function unquoteCharacter(text: string, at: number, quote: string): Character | undefined {
  const code = text.codePointAt(at);
  if (code === undefined || text[at] === quote) return undefined;
  if (code !== 0x5c) return { code, isByte: false, next: at + (code > 0xffff ? 2 : 1) };
  const letter = text[at + 1] ?? "";
  if (Object.hasOwn(simpleEscapes, letter)) return { code: simpleEscapes[letter]!, isByte: true, next: at + 2 };
  if (letter === quote) return { code: quote.charCodeAt(0), isByte: true, next: at + 2 };
  return numericEscape(text, at + 1);
}

const numericForms = [
  { form: /x([0-9a-fA-F]{2})/y, base: 16, isByte: true },
  { form: /u([0-9a-fA-F]{4})/y, base: 16, isByte: false },
  { form: /U([0-9a-fA-F]{8})/y, base: 16, isByte: false },
  { form: /([0-7]{3})/y, base: 8, isByte: true },
];

function numericEscape(text: string, at: number): Character | undefined {
  for (const { form, base, isByte } of numericForms) {
    const pattern = new RegExp(form);
    pattern.lastIndex = at;
    const digits = pattern.exec(text)?.[1];
    if (digits === undefined) continue;
    const code = Number.parseInt(digits, base);
    const fits = isByte ? code < 0x100 : code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return fits ? { code, isByte, next: pattern.lastIndex } : undefined;
  }
  return undefined;
}
