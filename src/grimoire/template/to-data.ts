import { RenderBudget } from "./budget.ts";
import { sprint } from "./format/printf.ts";
import type { Data } from "./unknown.ts";
import { toWellFormed } from "./utf8.ts";
import { Byte, Complex, Float, unwrap, type Value } from "./value.ts";

/** A value as data for the world outside: numbers are plain numbers, texts well-formed. */
export function toData(value: Value): Data {
  const inside = unwrap(value);
  if (typeof inside === "string") return toWellFormed(inside);
  if (typeof inside === "bigint") return Number(inside);
  if (inside instanceof Float || inside instanceof Byte) return inside.value;
  return inside instanceof Complex ? sprint([inside], new RenderBudget()) : inside;
}
