import type { RenderBudget } from "./budget.ts";
import { sprint } from "./format/printf.ts";
import { jsonText } from "./json-text.ts";
import { toWellFormed } from "./utf8.ts";
import { kindOf, type Plain } from "./value.ts";

/** How an action prints a value: as Go does, but lists and maps as JSON, and nothing for what is missing. */
export function printedText(value: Plain, budget: RenderBudget): string {
  switch (kindOf(value)) {
    case "nil":
      return "";
    case "string":
      return toWellFormed(value as string);
    case "list":
    case "map":
      return toWellFormed(jsonText(value, budget));
    default:
      return sprint([value], budget);
  }
}
