import type { PolicyLayer } from "../../app/policy/ports.ts";
import { isLoosening, type PolicyRule } from "../../contract/policy.ts";
import { boundedDisk } from "../files/bounded-disk.ts";
import { boundsOf } from "../files/bounds.ts";
import type { Disk } from "../files/disk.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { rootPaths } from "../layout.ts";
import { userSettings, type Env } from "../layout/user-paths.ts";
import { trustedFiles } from "./trusted-files.ts";

export interface PolicyPlace {
  /** Undefined outside a repository. */
  repository: { root: string; commonDir: string } | undefined;
  env: Env;
}

/** What a file of settings says. */
export interface FileRules {
  rules: PolicyRule[];
  lines: (number | undefined)[];
  /** Of the file's text, where it has rules that loosen: trust is bound to it. */
  hash?: string;
}

/** Throws an Error in words for what cannot be read. */
export type RulesReader = (disk: Disk, file: string) => FileRules;

/** The policies of the user and of the repository. Never throws for what is wrong in a file: the layer says so. */
export function policyLayers(place: PolicyPlace, read: RulesReader): PolicyLayer[] {
  const { repository, env } = place;
  const layers = [layerOf(read, nodeDisk, userSettings(env), "user", () => true)];
  if (!repository) return layers;
  const own = rootPaths.settings(repository.root);
  const trusted = trustedFiles(env);
  return [...layers, layerOf(read, repositoryDisk(repository), own, "repository", (hash) => trusted.has(own, hash))];
}

/** Files of a repository are read inside it alone. */
export function repositoryDisk({ root, commonDir }: NonNullable<PolicyPlace["repository"]>): Disk {
  return boundedDisk(nodeDisk, boundsOf(root, commonDir, [rootPaths.clew(root)], false));
}

function layerOf(
  read: RulesReader,
  disk: Disk,
  file: string,
  whose: PolicyLayer["whose"],
  isTrusted: (hash: string) => boolean,
): PolicyLayer {
  try {
    const { rules, lines, hash } = read(disk, file);
    // Only what loosens asks for trust.
    return { file, whose, rules, lines, isTrusted: rules.some(isLoosening) && hash !== undefined && isTrusted(hash) };
  } catch (error) {
    return { file, whose, rules: [], lines: [], isTrusted: false, problem: `${file}: ${(error as Error).message}` };
  }
}
