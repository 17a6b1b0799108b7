import { evaluate, isSingleAction, type Include } from "../template/execute.ts";
import type { ParseText } from "../template/parse-once.ts";
import { TemplateError } from "../template/template-error.ts";
import { Unknown, type Data } from "../template/unknown.ts";
import { valueType } from "./value-type.ts";
import { trimEndOf } from "../../text/trim.ts";

/**
 * Whether a step runs; an Unknown when only the run can tell. Throws a TemplateError that names the type for anything
 * that is not a boolean: text such as "false" must never count as true.
 */
export function decideWhen(
  when: boolean | string,
  data: Data,
  { parse, include }: { parse: ParseText; include?: Include },
): boolean | Unknown {
  if (typeof when === "boolean") return when;
  // A block of YAML ends in a newline that is no part of the condition.
  const template = parse(trimEndOf(when, "\n"));
  if (!isSingleAction(template)) {
    throw new TemplateError("", 1, 1, "when must be a boolean or exactly one action, such as {{.previous.failed}}");
  }
  const value = evaluate(template, data, { ...(include && { include }) });
  if (typeof value === "boolean") return value;
  if (value instanceof Unknown && (value.type === "boolean" || value.type === "any")) return value;
  throw new TemplateError("", 1, 1, `when must give a boolean, but ${when.trim()} gives ${valueType(value)}`);
}
