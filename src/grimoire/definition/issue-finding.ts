import type * as z from "zod/mini";
import { nearest } from "../../text/nearest.ts";
import type { UnplacedProblem } from "./unplaced-problem.ts";
import { unreadValue } from "./read-tree.ts";
import { describeWrongType } from "./step-type.ts";
import { stepAt } from "./step-walk.ts";
import { didYouMean, joinWords, describeValue } from "./words.ts";
import { valueAt, type Path, type PlacedTree } from "./yaml-tree.ts";

type Issue = z.core.$ZodIssue;

/** An issue of the schema in plain words; undefined when its value was reported already. */
export function issueFinding(issue: Issue, tree: PlacedTree): UnplacedProblem | undefined {
  const path = issue.path as Path;
  const value = valueAt(tree.value, path);
  if (value === unreadValue) return undefined;
  const { label: step, rest } = stepAt(tree.value, path);
  const field = fieldName(rest);
  if (issue.code === "invalid_key") {
    const words = `${fieldName(rest.slice(0, -1))}: the name ${describeValue(rest.at(-1))} ${issue.issues[0]!.message}`;
    return { offset: tree.keyOffsetOf(path), step, message: words };
  }
  const offset = tree.offsetOf(path);
  if (issue.code === "invalid_union" && rest.at(-1) === "type") {
    const { message, hint } = describeWrongType(valueAt(tree.value, path.slice(0, -1)) as Record<string, unknown>);
    return { offset, step, message, hint };
  }
  if (value === undefined) return { offset, step, message: `${field}: is missing` };
  if (rest.length === 0) {
    return { offset, step, message: `a step must be a mapping with name and type, not ${describeValue(value)}` };
  }
  if (tree.isEmpty(path)) {
    return { offset, step, message: `${field}: has no value`, hint: "write one, or remove the key" };
  }
  return { offset, step, message: `${field}: ${expectation(issue, value)}`, hint: hintFor(issue, value) };
}

/** `requires[0]` */
function fieldName(path: Path): string {
  return path.map((key, index) => (typeof key === "number" ? `[${key}]` : index === 0 ? key : `.${key}`)).join("");
}

function expectation(issue: Issue, value: unknown): string {
  const words = issue.code === "invalid_value" ? `must be ${joinWords(issue.values.map(String), "or")}` : issue.message;
  return words.startsWith("must be ") ? `${words}, not ${describeValue(value)}` : words;
}

function hintFor(issue: Issue, value: unknown): string | undefined {
  if (typeof value === "object" && value !== null) return undefined;
  const text = String(value);
  if (issue.code === "invalid_value") return didYouMean(nearest(text, issue.values.map(String)));
  if (issue.message.startsWith("must be a duration") && /^\d+$/.test(text)) return `write ${text}s or ${text}m`;
  return issue.message === "must be text" ? `put it in quotes: "${text}"` : undefined;
}
