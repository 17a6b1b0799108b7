/**
 * Takes `branch.<name>.mergeOptions` out of the way, with which a user shapes merges made by hand. The value comes from
 * the environment, because `-c` ends a key at the first `=`, which a branch's name may hold.
 */
export function withoutMergeOptions(branch: string): { args: string[]; env: Record<string, string> } {
  const variable = "CLEW_NO_MERGE_OPTIONS";
  return { args: [`--config-env=branch.${branch}.mergeOptions=${variable}`], env: { [variable]: "" } };
}
