import { InvalidArgumentError } from "commander";

/** For options that take a number of things. */
export function readCount(text: string): number {
  return readNumber(text, 9_999_999);
}

/** For options that limit what may be used. */
export function readLimit(text: string): number {
  return readNumber(text, 999_999_999_999);
}

function readNumber(text: string, most: number): number {
  const value = /^[1-9]\d{0,11}$/.test(text) ? Number(text) : 0;
  if (value > 0 && value <= most) return value;
  throw new InvalidArgumentError("It must be a whole number from 1 on.");
}
