import { isAlphaNumeric } from "./characters.ts";

/**
 * Finds the end of a number: decimal, octal, hexadecimal, binary, float, or complex (1+2i). Not exact: what it lets
 * through and is no number, the parser refuses. Without a kind it cannot be one.
 */
export function scanNumber(text: string, start: number): { end: number; kind: "number" | "complex" | undefined } {
  const first = scanPart(text, start);
  if (!first.ok) return { end: first.end, kind: undefined };
  const sign = text[first.end];
  if (sign !== "+" && sign !== "-") return { end: first.end, kind: "number" };
  const second = scanPart(text, first.end);
  return { end: second.end, kind: second.ok && text[second.end - 1] === "i" ? "complex" : undefined };
}

const hexadecimal = /[+-]?0[xX][0-9a-fA-F_]*(?:\.[0-9a-fA-F_]*)?(?:[pP][+-]?[0-9_]*)?i?/y;
const octal = /[+-]?0[oO][0-7_]*(?:\.[0-7_]*)?i?/y;
const binary = /[+-]?0[bB][01_]*(?:\.[01_]*)?i?/y;
const decimal = /[+-]?[0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9_]*)?i?/y;

function scanPart(text: string, start: number): { end: number; ok: boolean } {
  const end = endOf(text, start);
  const next = text.codePointAt(end);
  if (next === undefined || !isAlphaNumeric(next)) return { end, ok: true };
  return { end: end + (next > 0xffff ? 2 : 1), ok: false };
}

function endOf(text: string, start: number): number {
  for (const form of [hexadecimal, octal, binary, decimal]) {
    const pattern = new RegExp(form);
    pattern.lastIndex = start;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return start;
}
