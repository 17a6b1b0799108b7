import type { RenderBudget } from "../budget.ts";
import { integerOf, kindOf, typeName, type Byte, type Plain } from "../value.ts";
import { Flags } from "./flags.ts";
import { Printer } from "./printer.ts";

/** Widths and precisions beyond this are mistakes. */
const maxNumber = 1_000_000;

/** Go's fmt.Sprintf. */
export function sprintf(format: string, args: readonly Plain[], budget: RenderBudget): string {
  return new Formatting(format, args, budget).run();
}

/** Go's fmt.Sprint: a space between two arguments that are no texts. */
export function sprint(args: readonly Plain[], budget: RenderBudget): string {
  return printValues(args, budget, (a, b) => typeof a !== "string" && typeof b !== "string").text();
}

/** Go's fmt.Sprintln: a space between any two arguments, and a newline. */
export function sprintln(args: readonly Plain[], budget: RenderBudget): string {
  const printer = printValues(args, budget, () => true);
  printer.write("\n");
  return printer.text();
}

function printValues(
  args: readonly Plain[],
  budget: RenderBudget,
  needsSpace: (a: Plain, b: Plain) => boolean,
): Printer {
  const printer = new Printer(budget);
  for (const [at, value] of args.entries()) {
    if (at > 0 && needsSpace(args[at - 1], value)) printer.write(" ");
    printer.argument(value, "v");
  }
  return printer;
}

class Formatting {
  readonly #format: string;
  readonly #args: readonly Plain[];
  readonly #printer: Printer;
  #at = 0;
  /** The argument that comes next. */
  #nextArgument = 0;
  /** Whether arguments were chosen by number, as in %[2]d. */
  #isReordered = false;
  #isIndexValid = true;
  /** Whether a number in brackets was just read. */
  #afterIndex = false;

  constructor(format: string, args: readonly Plain[], budget: RenderBudget) {
    this.#format = format;
    this.#args = args;
    this.#printer = new Printer(budget);
  }

  run(): string {
    while (this.#at < this.#format.length) {
      const percent = this.#format.indexOf("%", this.#at);
      const end = percent < 0 ? this.#format.length : percent;
      if (end > this.#at) this.#printer.write(this.#format.slice(this.#at, end));
      this.#at = end + 1;
      if (percent >= 0) this.#directive();
    }
    this.#extra();
    return this.#printer.text();
  }

  #directive(): void {
    this.#isIndexValid = true;
    this.#readFlags();
    this.#afterIndex = false;
    this.#readIndex();
    this.#readWidth();
    this.#readPrecision();
    if (!this.#afterIndex) this.#readIndex();
    if (this.#at >= this.#format.length) return this.#printer.write("%!(NOVERB)");
    const verb = this.#readVerb();
    if (verb === "%") return this.#printer.write("%");
    if (!this.#isIndexValid) return this.#printer.write(`%!${verb}(BADINDEX)`);
    if (this.#nextArgument >= this.#args.length) return this.#printer.write(`%!${verb}(MISSING)`);
    const { flags } = this.#printer;
    if (verb === "v") {
      [flags.sharpV, flags.sharp] = [flags.sharp, false];
      flags.plus = false;
    }
    this.#printer.argument(this.#args[this.#nextArgument++], verb);
  }

  #readFlags(): void {
    const flags = new Flags();
    this.#printer.flags = flags;
    for (; ; this.#at++) {
      const character = this.#format[this.#at];
      if (character === "#") flags.sharp = true;
      else if (character === "0") flags.zero = !flags.minus;
      else if (character === "+") flags.plus = true;
      else if (character === "-") [flags.minus, flags.zero] = [true, false];
      else if (character === " ") flags.space = true;
      else return;
    }
  }

  #readWidth(): void {
    const { flags } = this.#printer;
    if (this.#format[this.#at] !== "*") {
      flags.width = this.#readNumber();
      if (this.#afterIndex && flags.width !== undefined) this.#isIndexValid = false;
      return;
    }
    this.#at++;
    flags.width = this.#integerArgument();
    if (flags.width === undefined) this.#printer.write("%!(BADWIDTH)");
    else if (flags.width < 0) [flags.width, flags.minus, flags.zero] = [-flags.width, true, false];
    this.#afterIndex = false;
  }

  #readPrecision(): void {
    const { flags } = this.#printer;
    if (this.#format[this.#at] !== "." || this.#at + 1 >= this.#format.length) return;
    this.#at++;
    if (this.#afterIndex) this.#isIndexValid = false;
    this.#readIndex();
    if (this.#format[this.#at] !== "*") {
      flags.precision = this.#readNumber() ?? 0;
      return;
    }
    this.#at++;
    const precision = this.#integerArgument();
    if (precision === undefined || precision < 0) this.#printer.write("%!(BADPREC)");
    else flags.precision = precision;
    this.#afterIndex = false;
  }

  /** Digits at this place. A number that is too large swallows the rest of the format, as in Go. */
  #readNumber(): number | undefined {
    const pattern = /[0-9]+/y;
    pattern.lastIndex = this.#at;
    const digits = pattern.exec(this.#format)?.[0];
    if (digits === undefined) return undefined;
    if (isTooLarge(digits)) {
      this.#at = this.#format.length;
      return undefined;
    }
    this.#at += digits.length;
    return Number(digits);
  }

  /** `[n]` chooses an argument. */
  #readIndex(): void {
    this.#afterIndex = false;
    if (this.#format[this.#at] !== "[") return;
    this.#isReordered = true;
    const close = this.#format.length - this.#at < 3 ? -1 : this.#format.indexOf("]", this.#at);
    if (close < 0) {
      this.#isIndexValid = false;
      this.#at += 1;
      return;
    }
    const digits = this.#format.slice(this.#at + 1, close);
    this.#at = close + 1;
    const isNumber = /^[0-9]+$/.test(digits) && !isTooLarge(digits);
    const index = Number(digits) - 1;
    this.#afterIndex = isNumber;
    if (isNumber && index >= 0 && index < this.#args.length) this.#nextArgument = index;
    else this.#isIndexValid = false;
  }

  /** The next argument as a width or precision. */
  #integerArgument(): number | undefined {
    if (this.#nextArgument >= this.#args.length) return undefined;
    const value = this.#args[this.#nextArgument++];
    const kind = kindOf(value);
    if (kind !== "int" && kind !== "uint8") return undefined;
    const number = Number(integerOf(value as number | bigint | Byte));
    return Math.abs(number) > maxNumber ? undefined : number;
  }

  #readVerb(): string {
    const code = this.#format.codePointAt(this.#at)!;
    this.#at += code > 0xffff ? 2 : 1;
    return String.fromCodePoint(code).toWellFormed();
  }

  /** Arguments that no verb took. */
  #extra(): void {
    if (this.#isReordered || this.#nextArgument >= this.#args.length) return;
    this.#printer.flags = new Flags();
    this.#printer.write("%!(EXTRA ");
    for (const [at, value] of this.#args.slice(this.#nextArgument).entries()) {
      if (at > 0) this.#printer.write(", ");
      if (kindOf(value) !== "nil") this.#printer.write(`${typeName(value)}=`);
      this.#printer.argument(value, "v");
    }
    this.#printer.write(")");
  }
}

/** Go gives up on a number once it is above the limit and has another digit. */
function isTooLarge(digits: string): boolean {
  return digits.length > 1 && Number(digits.slice(0, -1)) > maxNumber;
}
