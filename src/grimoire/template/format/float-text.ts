import { dropBits, exactDecimal, floatParts, round, shortestDecimal, type Decimal } from "./decimal.ts";
import { EvaluationError } from "../template-error.ts";
import { trimEndOf } from "../../../text/trim.ts";

/** A finite float in one of Go's formats (b e E f g G x X). Without a precision, as short as is exact. */
export function floatText(value: number, format: string, precision: number | undefined): string {
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  return sign + unsignedText(Math.abs(value), format, precision);
}

function unsignedText(value: number, format: string, precision: number | undefined): string {
  switch (format) {
    case "b":
      return binaryText(value);
    case "x":
    case "X":
      return hexText(value, format, precision);
    case "e":
    case "E": {
      const decimal = precision === undefined ? shortestDecimal(value) : round(exactDecimal(value), precision + 1);
      return exponentText(decimal, precision ?? Math.max(decimal.digits.length - 1, 0), format);
    }
    case "f": {
      const exact = precision === undefined ? shortestDecimal(value) : exactDecimal(value);
      if (precision === undefined) return plainText(exact, Math.max(exact.digits.length - exact.point, 0));
      return plainText(round(exact, exact.point + precision), precision);
    }
    case "g":
    case "G":
      return generalText(value, format, precision);
  }
  throw new EvaluationError(`cannot format a float as %${format}`);
}

/** d.ddde±dd */
function exponentText({ digits, point }: Decimal, precision: number, letter: string): string {
  const fraction = precision > 0 ? `.${digits.slice(1, precision + 1).padEnd(precision, "0")}` : "";
  const exponent = digits === "" ? 0 : point - 1;
  return `${digits[0] ?? "0"}${fraction}${letter}${exponent < 0 ? "-" : "+"}${atLeastTwo(Math.abs(exponent))}`;
}

/** ddd.ddd */
function plainText({ digits, point }: Decimal, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  if (precision <= 0) return whole;
  const leadingZeros = "0".repeat(Math.min(Math.max(-point, 0), precision));
  const fraction = leadingZeros + digits.slice(Math.max(point, 0), Math.max(point + precision, 0));
  return `${whole}.${fraction.padEnd(precision, "0")}`;
}

/** Plain, or with an exponent when that is very small or does not fit the precision. */
function generalText(value: number, format: string, precision: number | undefined): string {
  const digitCount = precision === 0 ? 1 : precision;
  const decimal = digitCount === undefined ? shortestDecimal(value) : round(exactDecimal(value), digitCount);
  const count = decimal.digits.length;
  const maxDigits = digitCount ?? count;
  let limit = maxDigits > count && count >= decimal.point ? count : maxDigits;
  if (digitCount === undefined) limit = 6;
  const exponent = decimal.point - 1;
  if (exponent < -4 || exponent >= limit) {
    return exponentText(decimal, Math.min(maxDigits, count) - 1, format === "g" ? "e" : "E");
  }
  return plainText(decimal, Math.max((maxDigits > decimal.point ? count : maxDigits) - decimal.point, 0));
}

/** dddp±ddd: the mantissa and the power of two as they are stored. */
function binaryText(value: number): string {
  const { mantissa, exponent } = floatParts(value);
  return `${mantissa}p${exponent >= 0 ? "+" : ""}${exponent}`;
}

/** 0x1.hhhp±dd */
function hexText(value: number, letter: string, precision: number | undefined): string {
  let { mantissa, exponent } = floatParts(value);
  exponent = mantissa === 0n ? 0 : exponent + 52;
  // The leading one goes to bit 60, so that 15 hexadecimal digits follow.
  mantissa <<= 8n;
  while (mantissa !== 0n && mantissa >> 60n === 0n) {
    mantissa <<= 1n;
    exponent -= 1;
  }
  if (precision !== undefined && precision < 15) {
    const count = 60 - 4 * precision;
    mantissa = dropBits(mantissa, count) << BigInt(count);
    if (mantissa >> 61n !== 0n) {
      mantissa >>= 1n;
      exponent += 1;
    }
  }
  const all = BigInt.asUintN(60, mantissa).toString(16).padStart(15, "0");
  const fraction = precision === undefined ? trimEndOf(all, "0") : all.slice(0, precision).padEnd(precision, "0");
  const digits = `${mantissa >> 60n}${fraction === "" ? "" : `.${fraction}`}`;
  const text = `0x${digits}p${exponent < 0 ? "-" : "+"}${atLeastTwo(Math.abs(exponent))}`;
  return letter === "X" ? text.toUpperCase() : text;
}

function atLeastTwo(value: number): string {
  return String(value).padStart(2, "0");
}
