import { isPrintable } from "../syntax/characters.ts";
import { pad, type Flags } from "./flags.ts";
import { floatText } from "./float-text.ts";
import { quoteRune } from "./quote.ts";

const bases: Readonly<Record<string, number>> = { v: 10, d: 10, b: 2, o: 8, O: 8, x: 16, X: 16 };

/** An integer as a verb wants it; undefined when the verb is not for integers. */
export function integerText(value: bigint, verb: string, flags: Flags): string | undefined {
  const base = bases[verb];
  if (base !== undefined) return pad(digitsText(value, base, verb, flags), flags, " ");
  if (verb === "c") return pad(String.fromCodePoint(runeOf(value)), flags);
  if (verb === "q") return pad(quoteRune(runeOf(value), flags.plus), flags);
  if (verb === "U") return pad(unicodeText(BigInt.asUintN(64, value), flags), flags, " ");
  return undefined;
}

function digitsText(value: bigint, base: number, verb: string, flags: Flags): string {
  const negative = value < 0n;
  const magnitude = negative ? -value : value;
  if (flags.precision === 0 && value === 0n) return "";
  const digits = magnitude.toString(base).padStart(leadingZeros(flags, negative), "0");
  const sign = negative ? "-" : flags.plus ? "+" : flags.space ? " " : "";
  const text = basePrefix(digits, base, verb, flags) + digits;
  return sign + (verb === "X" ? text.toUpperCase() : text);
}

function leadingZeros(flags: Flags, negative: boolean): number {
  if (flags.precision !== undefined) return flags.precision;
  if (!flags.zero || flags.width === undefined) return 0;
  return flags.width - (negative || flags.plus || flags.space ? 1 : 0);
}

function basePrefix(digits: string, base: number, verb: string, { sharp }: Flags): string {
  const octal = verb === "O" ? "0o" : "";
  if (!sharp) return octal;
  if (base === 2) return "0b";
  if (base === 16) return "0x";
  return base === 8 && !digits.startsWith("0") ? `${octal}0` : octal;
}

/** What is no character becomes U+FFFD. */
function runeOf(value: bigint): number {
  const isCharacter = value >= 0n && value <= 0x10ffffn && (value < 0xd800n || value > 0xdfffn);
  return isCharacter ? Number(value) : 0xfffd;
}

/** U+0078, or U+0078 'x'. */
function unicodeText(value: bigint, { precision = 0, sharp }: Flags): string {
  const name = `U+${value.toString(16).toUpperCase().padStart(Math.max(precision, 4), "0")}`;
  const shows = sharp && value <= 0x10ffffn && isPrintable(Number(value));
  return shows ? `${name} '${String.fromCodePoint(Number(value))}'` : name;
}

export function isFloatVerb(verb: string): boolean {
  return "vbgGxXfFeE".includes(verb);
}

/** A float as a verb wants it. The verb must be one for floats. */
export function floatVerbText(value: number, verb: string, flags: Flags): string {
  const format = verb === "v" ? "g" : verb === "F" ? "f" : verb;
  const precision = flags.precision ?? ("feE".includes(format) ? 6 : undefined);
  const text = floatText(value, format, precision);
  const negative = text.startsWith("-");
  const sign = negative ? "-" : flags.plus ? "+" : flags.space ? " " : "";
  const digits = negative ? text.slice(1) : text;
  const number = flags.sharp && format !== "b" ? withPoint(digits, format, precision) : digits;
  // Zeros for padding go between the sign and the digits.
  if (sign !== "" && flags.zero && flags.width !== undefined && flags.width > number.length + 1) {
    return sign + "0".repeat(flags.width - number.length - 1) + number;
  }
  return pad(sign + number, flags);
}

/** With the sharp flag there is always a decimal point, and %g keeps its trailing zeros. */
function withPoint(text: string, format: string, precision: number | undefined): string {
  const at = text.search(format === "x" || format === "X" ? /p/i : /e/i);
  const [number, tail] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
  let missing = format === "g" || format === "G" || format === "x" ? (precision ?? 6) : 0;
  missing -= number.replace(".", "").replace(/^0+/, "").length;
  const hasPoint = number.includes(".");
  if (!hasPoint && number === "0") missing -= 1;
  return number + (hasPoint ? "" : ".") + "0".repeat(Math.max(missing, 0)) + tail;
}
