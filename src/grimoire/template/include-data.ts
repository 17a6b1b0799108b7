import type { RenderBudget } from "./budget.ts";
import { EvaluationError } from "./template-error.ts";
import { toData } from "./to-data.ts";
import { Unknown, type Data } from "./unknown.ts";
import { kindOf, typeName, type DataMap, type Plain } from "./value.ts";

/** What a partial is rendered with: the data, with the named arguments laid over it. */
export function includeData(value: Plain, namedValues: readonly [string, Plain][], budget: RenderBudget): Data {
  const data = toData(value);
  if (namedValues.length === 0) return data;
  const namedData = namedValues.map(([key, item]): [string, Data] => [key, toData(item)]);
  if (data instanceof Unknown) return new Unknown(data.label, data.type, overlay(data.fields ?? {}), data.open);
  const kind = kindOf(data);
  if (kind !== "map" && kind !== "nil") {
    throw new EvaluationError(`names can only be added to an object, not to ${typeName(data)}`);
  }
  return overlay((data ?? {}) as DataMap);

  /** A new object: the names may be any, so they are defined, never assigned. */
  function overlay(map: Readonly<DataMap>): DataMap {
    const entries = Object.entries(map);
    budget.spend(entries.length);
    return Object.fromEntries([...entries, ...namedData]);
  }
}
