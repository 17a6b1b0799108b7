import * as z from "zod/mini";
import { grimoireSchema, type GrimoireYaml } from "../../contract/grimoire-schema.ts";
import type { Report } from "./finding.ts";
import { issueFinding } from "./issue-finding.ts";
import { mend } from "./mend.ts";
import { salvage, type Salvaged } from "./salvage.ts";
import type { YamlTree } from "./yaml-tree.ts";

/** The grimoire, or what is left of it when something is wrong. */
export interface Shaped {
  whole?: GrimoireYaml;
  salvaged?: Salvaged;
}

/**
 * Checks keys and values against the schema and reports everything at once. A misspelt key or type would hide what stands
 * below it, so each is reported, put right in the tree's value, and the check is made again.
 */
export function checkShape(tree: YamlTree, report: Report): Shaped {
  for (;;) {
    // Compiling the schema pays only for whoever checks many files in one process.
    const result = z.safeParse(grimoireSchema, tree.value, { jitless: true });
    if (result.success) return { whole: result.data };
    const { issues } = result.error;
    if (mend(issues, tree, report)) continue;
    for (const issue of issues) {
      const finding = issueFinding(issue, tree);
      if (finding) report(finding);
    }
    const salvaged = salvage(tree.value, issues);
    return salvaged ? { salvaged } : {};
  }
}
