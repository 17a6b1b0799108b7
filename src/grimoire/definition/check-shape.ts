import * as z from "zod/mini";
import { grimoireSchema } from "../../contract/grimoire-schema.ts";
import type { Report } from "./unplaced-problem.ts";
import { issueFinding } from "./issue-finding.ts";
import { correctSpelling } from "./correct-spelling.ts";
import { salvage, type Shape } from "./salvage.ts";
import type { YamlTree } from "./yaml-tree.ts";

/**
 * Checks keys and values against the schema and reports everything at once. A misspelt key or type would hide what is
 * below it, so each is reported, corrected in the tree's value, and the check is made again. Returns the grimoire, or
 * what can be salvaged of it. `isPartial` of a whole grimoire counts only when another check fails.
 */
export function checkShape(tree: YamlTree, report: Report): Shape | undefined {
  for (;;) {
    // Compiling the schema pays only for a process that checks many files.
    const result = z.safeParse(grimoireSchema, tree.value, { jitless: true });
    if (result.success) return { grimoire: result.data, isPartial: true };
    const { issues } = result.error;
    if (correctSpelling(issues, tree, report)) continue;
    for (const issue of issues) {
      const finding = issueFinding(issue, tree);
      if (finding) report(finding);
    }
    return salvage(tree.value, issues);
  }
}
