import type { RenderBudget } from "../budget.ts";
import { sprint } from "../format/printf.ts";
import { EvaluationError } from "../template-error.ts";
import { Unknown, type Data } from "../unknown.ts";
import { byteLength, fromBytes, toBytes } from "../utf8.ts";
import { Byte, entryOf, integerOf, kindOf, load, typeName, type DataMap, type Plain } from "../value.ts";

/** Where a slice of a list comes from: Go's slices can be grown again up to their capacity. */
export interface SliceOrigin {
  base: readonly Data[];
  low: number;
  capacity: number;
}

/** `index x 1 2 3` is x[1][2][3]. A map gives null for a key that it does not have. */
export function indexValue([item, ...indexes]: readonly Plain[], budget: RenderBudget): Plain {
  let current = item;
  if (kindOf(current) === "nil") throw new EvaluationError("index of nil");
  for (const index of indexes) current = indexOnce(current, index, budget);
  return current;
}

function indexOnce(item: Plain, index: Plain, budget: RenderBudget): Plain {
  switch (kindOf(item)) {
    case "nil":
      throw new EvaluationError("index of nil");
    case "list":
      return load((item as Data[])[indexBelow(index, (item as Data[]).length)]) ?? null;
    case "string": {
      const bytes = toBytes(item as string);
      return new Byte(bytes[indexBelow(index, bytes.length)]!);
    }
    case "map":
      if (typeof index !== "string") throw new EvaluationError(`the key of a map is a string, not ${typeName(index)}`);
      return entryOf(item as DataMap, index) ?? null;
    case "unknown":
      if (typeof index === "string") return load((item as Unknown).field(index));
      return new Unknown(`${(item as Unknown).label}[${sprint([index], budget)}]`);
    default:
      throw new EvaluationError(`cannot index ${typeName(item)}`);
  }
}

/** `slice x 1 2` is x[1:2], of a text by bytes. */
export function sliceValue(
  [item, ...indexes]: readonly Plain[],
  budget: RenderBudget,
  origins: WeakMap<Data[], SliceOrigin>,
): Plain {
  if (indexes.length > 3) throw new EvaluationError("too many slice indexes");
  const kind = kindOf(item);
  if (kind === "string") {
    if (indexes.length === 3) throw new EvaluationError("a string cannot be sliced with three indexes");
    return sliceText(item as string, indexes);
  }
  if (kind === "list") return sliceList(item as Data[], indexes, budget, origins);
  throw new EvaluationError(`cannot slice ${typeName(item)}`);
}

function sliceText(text: string, indexes: readonly Plain[]): string {
  const length = byteLength(text);
  const [low, high] = bounds(indexes, length, length);
  return length === text.length ? text.slice(low, high) : fromBytes(toBytes(text).subarray(low, high));
}

function sliceList(
  list: Data[],
  indexes: readonly Plain[],
  budget: RenderBudget,
  origins: WeakMap<Data[], SliceOrigin>,
): Data[] {
  const origin = origins.get(list) ?? { base: list, low: 0, capacity: list.length };
  const [low, high, end] = bounds(indexes, list.length, origin.capacity);
  budget.spend(high - low);
  const result = origin.base.slice(origin.low + low, origin.low + high);
  origins.set(result, { base: origin.base, low: origin.low + low, capacity: end - low });
  return result;
}

function bounds(indexes: readonly Plain[], length: number, capacity: number): [number, number, number] {
  const [low = 0, high = length, end = capacity] = indexes.map((index) => indexUpTo(index, capacity));
  if (low > high) throw new EvaluationError(`invalid slice index: ${low} > ${high}`);
  if (high > end) throw new EvaluationError(`invalid slice index: ${high} > ${end}`);
  return [low, high, end];
}

function indexBelow(index: Plain, length: number): number {
  const value = indexUpTo(index, length);
  if (value === length) throw new EvaluationError(`index out of range: ${value}`);
  return value;
}

function indexUpTo(index: Plain, most: number): number {
  const kind = kindOf(index);
  if (kind !== "int" && kind !== "uint8") throw new EvaluationError(`an index is an int, not ${typeName(index)}`);
  const value = integerOf(index as number | bigint | Byte);
  if (value < 0n || value > BigInt(most)) throw new EvaluationError(`index out of range: ${value}`);
  return Number(value);
}

/** How many bytes, items or entries. */
export function lengthOf(item: Plain): number {
  switch (kindOf(item)) {
    case "string":
      return byteLength(item as string);
    case "list":
      return (item as Data[]).length;
    case "map":
      return Object.keys(item as DataMap).length;
    default:
      throw new EvaluationError(`${typeName(item)} has no length`);
  }
}
