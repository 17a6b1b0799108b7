import { readCall, type PolicyCall } from "./call.ts";
import type { PlacedRule } from "./judge.ts";
import { matchExactly } from "./match-rule.ts";
import { pathMatch, writtenPaths } from "./named-paths.ts";
import { fullPath } from "./paths.ts";

/** Whether a rule that counts allows this very path or command: one without signs that stand for others. */
export function isAllowedByName(rules: readonly PlacedRule[], given: PolicyCall): boolean {
  const call = readCall(given);
  const { paths, folder, tops, home } = call;
  const isVeryPath = (pattern: string): boolean =>
    paths.every((path) => tops.some((top) => fullPath(pattern, top, home) === fullPath(path, folder, home)));
  return rules.some((rule) => {
    if (!rule.counts || rule.decide !== "allow" || !matchExactly(rule, call)) return false;
    if (rule.path !== undefined) return isVeryPath(rule.path);
    return rule.command !== undefined && !/[*…]|\.\.\./.test(rule.command);
  });
}

/** Whether the words of a command tell that it writes one of these paths, or below it. In doubt they do not. */
export function surelyWrites(patterns: readonly string[], given: PolicyCall): boolean {
  const call = readCall(given);
  const written = writtenPaths(call);
  return patterns.some((pattern) => pathMatch(pattern, written, call) === "yes");
}
