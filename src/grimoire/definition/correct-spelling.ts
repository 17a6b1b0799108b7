import type * as z from "zod/mini";
import { nearest } from "../../text/nearest.ts";
import type { Report } from "./unplaced-problem.ts";
import { unreadValue } from "./read-tree.ts";
import { stepAt } from "./step-walk.ts";
import { describeWrongType, isStepType, typesWith } from "./step-type.ts";
import { describeUnknownKey } from "./unknown-key.ts";
import { valueAt, type Path, type YamlTree } from "./yaml-tree.ts";

/**
 * Reports misspelt keys and types, and corrects them in the tree's value: an unknown key is renamed to the key that it
 * resembles, or removed; a step without a valid type gets the likeliest. Returns whether something was corrected, so
 * that another check can find more.
 */
export function correctSpelling(issues: readonly z.core.$ZodIssue[], tree: YamlTree, report: Report): boolean {
  let hasCorrections = false;
  for (const issue of issues) {
    const path = issue.path as Path;
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) correctKey(key, path, tree, report);
      hasCorrections = true;
    } else if (issue.code === "invalid_union" && path.at(-1) === "type") {
      hasCorrections = correctType(path.slice(0, -1), tree, report) || hasCorrections;
    }
  }
  return hasCorrections;
}

function correctKey(key: string, path: Path, tree: YamlTree, report: Report): void {
  const fields = valueAt(tree.value, path) as Record<string, unknown>;
  const owner = isStepType(fields["type"]) && path.length > 0 ? fields["type"] : undefined;
  const { suggestion, ...words } = describeUnknownKey(key, fields, owner);
  report({ offset: tree.keyOffsetOf([...path, key]), step: stepAt(tree.value, path).label, ...words });
  if (suggestion === undefined) delete fields[key];
  else renameKey(key, suggestion, path, tree);
}

function correctType(path: Path, tree: YamlTree, report: Report): boolean {
  const fields = valueAt(tree.value, path) as Record<string, unknown>;
  const step = stepAt(tree.value, path).label;
  const isMisspeltType = (key: string) => typesWith(key).length === 0 && nearest(key, ["type"]) !== undefined;
  const misspeltKey = "type" in fields ? undefined : Object.keys(fields).find(isMisspeltType);
  if (misspeltKey !== undefined) {
    const offset = tree.keyOffsetOf([...path, misspeltKey]);
    report({ offset, step, message: `unknown key ${misspeltKey}`, hint: "did you mean type?" });
    renameKey(misspeltKey, "type", path, tree);
    return true;
  }
  const { suggestion, ...words } = describeWrongType(fields);
  if (suggestion === undefined) return false;
  if (fields["type"] !== unreadValue) report({ offset: tree.offsetOf([...path, "type"]), step, ...words });
  fields["type"] = suggestion;
  return true;
}

function renameKey(key: string, newKey: string, path: Path, tree: YamlTree): void {
  const fields = valueAt(tree.value, path) as Record<string, unknown>;
  fields[newKey] = fields[key];
  delete fields[key];
  tree.addKeyAlias(path, key, newKey);
}
