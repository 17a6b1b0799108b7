import type { PolicyRule } from "../../contract/policy.ts";

/** The policy of one file of settings. */
export interface PolicyLayer {
  file: string;
  whose: "user" | "repository";
  rules: PolicyRule[];
  /** The line of each rule, as far as it can be told. */
  lines: (number | undefined)[];
  /** Why the rules cannot be read, in words with file and line. */
  problem?: string;
  /** What loosens counts. */
  isTrusted: boolean;
}

/** Where policies stand. */
export interface PolicyFiles {
  /** The user's own first. Never throws for what is wrong in a file: the layer says so. */
  layers(): PolicyLayer[];
  /** Has what loosens in the repository's file count, as it stands now, or not any more. Returns the file. Throws outside a repository. */
  trust(isTrusted: boolean): string;
}
