import type * as z from "zod/mini";
import { nearest } from "../../text/nearest.ts";
import type { Report } from "./finding.ts";
import { unread } from "./read-tree.ts";
import { stepAt } from "./step-walk.ts";
import { isStepKey, isStepType, wrongType } from "./step-type.ts";
import { unknownKey } from "./unknown-key.ts";
import { valueAt, type Path, type YamlTree } from "./yaml-tree.ts";

/**
 * Reports misspelt keys and types, and puts them right in the tree's value: a key with a likely meaning is renamed, any
 * other unknown one removed; a step without a valid type gets the one that it most likely has. Says whether something
 * was put right, that is, whether another check can find more.
 */
export function mend(issues: readonly z.core.$ZodIssue[], tree: YamlTree, report: Report): boolean {
  let isMended = false;
  for (const issue of issues) {
    const path = issue.path as Path;
    if (issue.code === "unrecognized_keys") {
      for (const key of issue.keys) mendKey(key, path, tree, report);
      isMended = true;
    } else if (issue.code === "invalid_union" && path.at(-1) === "type") {
      isMended = mendType(path.slice(0, -1), tree, report) || isMended;
    }
  }
  return isMended;
}

function mendKey(key: string, path: Path, tree: YamlTree, report: Report): void {
  const fields = valueAt(tree.value, path) as Record<string, unknown>;
  const owner = isStepType(fields["type"]) && path.length > 0 ? fields["type"] : undefined;
  const { meant, ...words } = unknownKey(key, fields, owner);
  report({ offset: tree.keyOffsetOf([...path, key]), step: stepAt(tree.value, path).label, ...words });
  if (meant === undefined) delete fields[key];
  else rename(key, meant, path, tree);
}

function mendType(path: Path, tree: YamlTree, report: Report): boolean {
  const fields = valueAt(tree.value, path) as Record<string, unknown>;
  const step = stepAt(tree.value, path).label;
  const misspelt = "type" in fields ? undefined : misspeltType(Object.keys(fields));
  if (misspelt !== undefined) {
    const offset = tree.keyOffsetOf([...path, misspelt]);
    report({ offset, step, message: `unknown key ${misspelt}`, hint: "did you mean type?" });
    rename(misspelt, "type", path, tree);
    return true;
  }
  const { meant, ...words } = wrongType(fields);
  if (meant === undefined) return false;
  if (fields["type"] !== unread) report({ offset: tree.offsetOf([...path, "type"]), step, ...words });
  fields["type"] = meant;
  return true;
}

function misspeltType(keys: readonly string[]): string | undefined {
  return keys.find((key) => !isStepKey(key) && nearest(key, ["type"]) !== undefined);
}

function rename(key: string, meant: string, path: Path, tree: YamlTree): void {
  const fields = valueAt(tree.value, path) as Record<string, unknown>;
  fields[meant] = fields[key];
  delete fields[key];
  tree.alsoAs(path, key, meant);
}
