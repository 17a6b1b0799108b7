import { trimEndOf } from "../../../text/trim.ts";
/** A decimal number 0.d1d2d3… × 10^point. Zero has no digits. */
export interface Decimal {
  digits: string;
  point: number;
}

/** The fewest digits that read back as the same float. Takes no sign. */
export function shortestDecimal(value: number): Decimal {
  if (value === 0) return { digits: "", point: 0 };
  const [mantissa, exponent] = value.toExponential().split("e");
  return { digits: mantissa!.replace(".", ""), point: Number(exponent) + 1 };
}

/** Every digit that the float has. Takes no sign. */
export function exactDecimal(value: number): Decimal {
  if (value === 0) return { digits: "", point: 0 };
  const { mantissa, exponent } = floatParts(value);
  const scaled = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent);
  const digits = scaled.toString();
  return { digits: trimEndOf(digits, "0"), point: digits.length + Math.min(exponent, 0) };
}

/** Keeps that many digits; halves go to the even neighbour. */
export function round({ digits, point }: Decimal, count: number): Decimal {
  if (count < 0 || count >= digits.length) return { digits, point };
  if (!roundsUp(digits, count)) {
    const keptDigits = trimEndOf(digits.slice(0, count), "0");
    return { digits: keptDigits, point: keptDigits === "" ? 0 : point };
  }
  const keptDigits = trimEndOf(digits.slice(0, count), "9");
  if (keptDigits === "") return { digits: "1", point: point + 1 };
  return { digits: keptDigits.slice(0, -1) + String(Number(keptDigits.at(-1)) + 1), point };
}

function roundsUp(digits: string, count: number): boolean {
  if (digits[count] === "5" && digits.length === count + 1) return count > 0 && Number(digits[count - 1]) % 2 === 1;
  return digits[count]! >= "5";
}

/** The value without its last bits, rounded; halves go to the even neighbour. */
export function dropBits(value: bigint, count: number): bigint {
  const [rest, half] = [BigInt.asUintN(count, value), 1n << BigInt(count - 1)];
  const quotient = value >> BigInt(count);
  const isUp = rest > half || (rest === half && (quotient & 1n) === 1n);
  return isUp ? quotient + 1n : quotient;
}

/** A float as mantissa × 2^exponent, as it is stored. Takes no sign. */
export function floatParts(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const storedExponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & ((1n << 52n) - 1n);
  return storedExponent === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: storedExponent - 1075 };
}
