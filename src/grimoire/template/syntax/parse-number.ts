import { dropBits } from "../format/decimal.ts";

/** Numbers as Go writes them in source. Undefined means: not a number, or outside the range. */

const maxUint64 = 2n ** 64n - 1n;
const prefixes: Readonly<Record<string, number>> = { b: 2, o: 8, x: 16 };
const literalPrefixes: Readonly<Record<number, string>> = { 2: "0b", 8: "0o", 10: "", 16: "0x" };
const validDigits: Record<number, RegExp> = { 2: /^[01]*$/, 8: /^[0-7]*$/, 10: /^[0-9]+$/, 16: /^[0-9a-fA-F]*$/ };

export function parseUint(text: string): bigint | undefined {
  const value = parseDigits(text);
  return value === undefined || value > maxUint64 ? undefined : value;
}

export function parseInt64(text: string): bigint | undefined {
  const negative = text.startsWith("-");
  const digits = negative || text.startsWith("+") ? text.slice(1) : text;
  const value = parseDigits(digits);
  if (value === undefined || value > (negative ? 2n ** 63n : 2n ** 63n - 1n)) return undefined;
  return negative ? -value : value;
}

function parseDigits(text: string): bigint | undefined {
  if (text === "" || !underscoresFit(text)) return undefined;
  let base = 10;
  let digits = text;
  if (text.startsWith("0")) {
    const prefixed = text.length > 2 ? prefixes[text[1]!.toLowerCase()] : undefined;
    base = prefixed ?? 8;
    digits = text.slice(prefixed === undefined ? 1 : 2);
  }
  digits = digits.replaceAll("_", "").replace(/^0+/, "");
  // No number of 64 bits has more digits, in any base.
  if (digits.length > 64 || !validDigits[base]!.test(digits)) return undefined;
  return BigInt(literalPrefixes[base]! + (digits || "0"));
}

/** An underscore may only stand between digits, or between the base's prefix and a digit. */
function underscoresFit(text: string): boolean {
  if (!text.includes("_")) return true;
  const plain = text.replace(/^[+-]/, "");
  const hexadecimal = /^0[xX]/.test(plain);
  const digit = hexadecimal ? "[0-9a-fA-F]" : "[0-9]";
  const body = plain.replace(/^0[bBoOxX]/, "0");
  return !new RegExp(`(^|(?!${digit}|_).)_|_(?!${digit})`).test(body);
}

export function parseFloat64(text: string): number | undefined {
  if (!underscoresFit(text)) return undefined;
  const plain = text.replaceAll("_", "");
  const hexadecimal = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?[0-9]+)$/.exec(plain);
  const value = hexadecimal ? hexFloat(hexadecimal) : decimalFloat(plain);
  return value === undefined || !Number.isFinite(value) ? undefined : value;
}

function decimalFloat(text: string): number | undefined {
  return /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text) ? Number(text) : undefined;
}

function hexFloat([, sign, whole = "", fraction = "", exponent]: RegExpExecArray): number | undefined {
  if (whole + fraction === "") return undefined;
  const mantissa = BigInt(`0x${whole}${fraction}`);
  // Beyond these bounds nothing but zero and infinity is left, whatever the mantissa.
  const bound = 5000 + 4 * (whole.length + fraction.length);
  const power = Math.max(-bound, Math.min(bound, Number(exponent))) - 4 * fraction.length;
  const value = scale(mantissa, power);
  return sign === "-" ? -value : value;
}

/** mantissa × 2^power, rounded once to the nearest float, ties to even. */
function scale(mantissa: bigint, power: number): number {
  if (mantissa === 0n) return 0;
  const length = mantissa.toString(2).length;
  // A float has 53 bits, and none below 2^-1074.
  const drop = Math.max(length - 53, -1074 - power);
  if (drop <= 0) return multiply(Number(mantissa), power);
  return multiply(Number(dropBits(mantissa, drop)), power + drop);
}

/** Exact as long as the result is a float; in two steps, because 2^power alone may not be one. */
function multiply(value: number, power: number): number {
  const first = Math.max(-1000, Math.min(900, power));
  return value * 2 ** first * 2 ** (power - first);
}
