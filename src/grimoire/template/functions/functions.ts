import type { RenderBudget } from "../budget.ts";
import { sprint, sprintf, sprintln } from "../format/printf.ts";
import { jsonText } from "../json-text.ts";
import { EvaluationError } from "../template-error.ts";
import type { Data } from "../unknown.ts";
import { isTrue, kindOf, type Plain } from "../value.ts";
import { equalsAny, order } from "./compare.ts";
import { escapeHtml, escapeJs, escapeUrlQuery } from "./escape.ts";
import { indexValue, lengthOf, sliceValue, type SliceOrigin } from "./indexing.ts";

/** What functions may use besides their arguments. */
export interface FunctionContext {
  budget: RenderBudget;
  origins: WeakMap<Data[], SliceOrigin>;
}

/** Throws a Refusal. */
export type TemplateFunction = (args: readonly Plain[], context: FunctionContext) => Plain;

/** All functions but those that the evaluator does itself: `and`, `or`, `include` and `raw`. */
export const functions: ReadonlyMap<string, TemplateFunction> = new Map<string, TemplateFunction>([
  ["call", () => refuse("only functions can be called, and data has none")],
  ["html", (args, { budget }) => chargeFor(escapeHtml(textToEscape(args, budget)), budget)],
  ["js", (args, { budget }) => chargeFor(escapeJs(textToEscape(args, budget)), budget)],
  ["urlquery", (args, { budget }) => chargeFor(escapeUrlQuery(textToEscape(args, budget)), budget)],
  ["index", (args, { budget }) => indexValue(args, budget)],
  ["slice", (args, { budget, origins }) => sliceValue(args, budget, origins)],
  ["len", ([item]) => lengthOf(item)],
  ["not", ([value]) => !isTrue(value)],
  ["print", (args, { budget }) => sprint(args, budget)],
  ["printf", ([format, ...args], { budget }) => sprintf(format as string, args, budget)],
  ["println", (args, { budget }) => sprintln(args, budget)],
  ["eq", (args) => equalsAny(args)],
  ["ne", (args) => !equalsAny(args)],
  ["lt", (args) => order(args) < 0],
  ["le", (args) => order(args) <= 0],
  ["gt", (args) => order(args) > 0],
  ["ge", (args) => order(args) >= 0],
  ["json", ([value], { budget }) => jsonText(value, budget)],
  ["default", ([fallback, value]) => (isTrue(value) ? value : fallback)],
]);

function refuse(message: string): never {
  throw new EvaluationError(message);
}

/** Unlike print, the escaping functions show a missing value as an action of real Go does. */
function textToEscape(args: readonly Plain[], budget: RenderBudget): string {
  if (args.length === 1 && typeof args[0] === "string") return args[0];
  return sprint(
    args.map((value) => (kindOf(value) === "nil" ? "<no value>" : value)),
    budget,
  );
}

function chargeFor(text: string, budget: RenderBudget): string {
  budget.chargeText(text.length);
  return text;
}
