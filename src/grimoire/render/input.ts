import type { Json } from "../../contract/grimoire.ts";
import { evaluate, execute, isSingleAction, type Include } from "../template/execute.ts";
import type { ParseText } from "../template/parse-once.ts";
import { segmentsText } from "../template/segment.ts";
import type { Data } from "../template/unknown.ts";

/** One text of a step's input. Exactly one action keeps its value's type; anything else becomes text. */
export function renderInputText(
  text: string,
  data: Data,
  { parse, ...options }: { parse: ParseText; include?: Include },
): Data {
  if (!text.includes("{{")) return text;
  const template = parse(text);
  return isSingleAction(template)
    ? (evaluate(template, data, options) ?? null)
    : segmentsText(execute(template, data, options));
}

/** A value of a step's input with the texts in it rendered, at any depth. */
export function renderInput(value: Json, renderText: (text: string, path: (string | number)[]) => Data): Data {
  const render = (each: Json, path: (string | number)[]): Data => {
    if (typeof each === "string") return renderText(each, path);
    if (Array.isArray(each)) return each.map((item, at) => render(item, [...path, at]));
    if (each === null || typeof each !== "object") return each;
    return Object.fromEntries(Object.entries(each).map(([key, item]) => [key, render(item, [...path, key])]));
  };
  return render(value, []);
}
