import { EvaluationError } from "../template-error.ts";
import { compareTexts } from "../utf8.ts";
import { floatOf, integerOf, kindOf, typeName, type Byte, type Complex, type Float, type Plain } from "../value.ts";

/** What Go compares: ints and uint8s with one another, anything else only with its own kind. */
type Comparable = "bool" | "integer" | "float" | "complex" | "string";

const comparable: Readonly<Record<string, Comparable>> = {
  bool: "bool",
  int: "integer",
  uint8: "integer",
  float: "float",
  complex: "complex",
  string: "string",
};

/** Whether the first argument equals any of the others. */
export function equalsAny([first, ...others]: readonly Plain[]): boolean {
  if (others.length === 0) throw new EvaluationError("missing argument for comparison");
  return others.some((other) => equals(first, other));
}

function equals(a: Plain, b: Plain): boolean {
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (kindA === "nil" || kindB === "nil") return kindA === kindB;
  const kind = comparable[kindA];
  if (kind === undefined || kind !== comparable[kindB]) {
    throw new EvaluationError(`cannot compare ${typeName(a)} with ${typeName(b)}`);
  }
  if (kind === "complex") return sameComplex(a as Complex, b as Complex);
  return kind === "bool" ? a === b : compareOrdered(kind, a, b) === 0;
}

function sameComplex(a: Complex, b: Complex): boolean {
  return a.real === b.real && a.imaginary === b.imaginary;
}

/** Negative, zero or positive, as the first comes before, with or after the second. */
export function order([a, b]: readonly Plain[]): number {
  const kind = comparable[kindOf(a)];
  if (kind === undefined || kind === "bool" || kind === "complex" || kind !== comparable[kindOf(b)]) {
    throw new EvaluationError(`${typeName(a)} and ${typeName(b)} have no order`);
  }
  return compareOrdered(kind, a, b);
}

function compareOrdered(kind: "integer" | "float" | "string", a: Plain, b: Plain): number {
  if (kind === "string") return a === b ? 0 : compareTexts(a as string, b as string);
  if (kind === "float") return floatOf(a as number | Float) - floatOf(b as number | Float);
  const [x, y] = [integerOf(a as number | bigint | Byte), integerOf(b as number | bigint | Byte)];
  return x < y ? -1 : x > y ? 1 : 0;
}
