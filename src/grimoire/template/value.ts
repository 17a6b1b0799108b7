import { Unknown, type Data } from "./unknown.ts";
import { toWellFormed } from "./utf8.ts";

/**
 * A value while a template executes. Most are the data's own: a JSON number is an int when it is whole and within ±2^53,
 * and a float otherwise. `undefined` is a missing value and `null` a nil in the data: Go tells them apart.
 */
export type Value = Plain | Raw;
export type Plain = Data | bigint | Float | Byte | Complex;

class Wrapper<T> {
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }
}

/** A whole float such as 1.0, which as a plain number would count as an int. */
export class Float extends Wrapper<number> {}

/** What indexing a text gives: Go's uint8. */
export class Byte extends Wrapper<number> {}

/** The result of `raw`: prints as its value does, but says so. Every function sees the value inside. */
export class Raw extends Wrapper<Plain> {}

export class Complex {
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    this.real = real;
    this.imaginary = imaginary;
  }
}

export type Kind = "nil" | "bool" | "int" | "uint8" | "float" | "complex" | "string" | "list" | "map" | "unknown";
export type DataMap = { [key: string]: Data };

export function kindOf(value: Plain): Kind {
  switch (typeof value) {
    case "string":
      return "string";
    case "boolean":
      return "bool";
    case "bigint":
      return "int";
    case "number":
      return isWholeNumber(value) ? "int" : "float";
    case "object":
      return kindOfObject(value);
    default:
      return "nil";
  }
}

function kindOfObject(value: object | null): Kind {
  if (value === null) return "nil";
  if (Array.isArray(value)) return "list";
  if (value instanceof Float) return "float";
  if (value instanceof Byte) return "uint8";
  if (value instanceof Complex) return "complex";
  return value instanceof Unknown ? "unknown" : "map";
}

const maxWhole = 2 ** 53;

function isWholeNumber(value: number): boolean {
  return Number.isInteger(value) && value >= -maxWhole && value <= maxWhole;
}

/** An int as the value that stands for it. */
export function intValue(value: bigint): number | bigint {
  return value >= -BigInt(maxWhole) && value <= BigInt(maxWhole) ? Number(value) : value;
}

/** A float as the value that stands for it: wrapped where a plain number would be taken for an int. */
export function floatValue(value: number): number | Float {
  return isWholeNumber(value) ? new Float(value) : value;
}

/** The number of a float. */
export function floatOf(value: number | Float): number {
  return typeof value === "number" ? value : value.value;
}

/** The number of an int or uint8. */
export function integerOf(value: number | bigint | Byte): bigint {
  return BigInt(value instanceof Byte ? value.value : value);
}

export function unwrap(value: Value): Plain {
  return value instanceof Raw ? value.value : value;
}

/** A value of the data; texts become well-formed. */
export function load(value: Data): Data {
  return typeof value === "string" ? toWellFormed(value) : value;
}

/** A map's own entry; undefined when there is none. Never what an object inherits. */
export function entryOf(map: DataMap, key: string): Data {
  return Object.prototype.propertyIsEnumerable.call(map, key) ? load(map[key]) : undefined;
}

/** What Go calls true: anything but the zero value of its type and empty texts, lists and maps. */
export function isTrue(value: Plain): boolean {
  switch (kindOf(value)) {
    case "nil":
      return false;
    case "list":
      return (value as Data[]).length > 0;
    case "map":
      return Object.keys(value as DataMap).length > 0;
    case "float":
      return floatOf(value as number | Float) !== 0;
    case "uint8":
      return (value as Byte).value !== 0;
    case "complex":
      return (value as Complex).real !== 0 || (value as Complex).imaginary !== 0;
    default:
      return Boolean(value);
  }
}

/** How Go names the type. */
export function typeName(value: Plain): string {
  const kind = kindOf(value);
  return goNames[kind] ?? kind;
}

const goNames: Readonly<Partial<Record<Kind, string>>> = {
  nil: "<nil>",
  float: "float64",
  complex: "complex128",
  list: "[]interface {}",
  map: "map[string]interface {}",
};
