import { InvalidArgumentError } from "commander";

/** For options that take a number of things. */
export function readCount(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1 on.");
  return Number(text);
}
