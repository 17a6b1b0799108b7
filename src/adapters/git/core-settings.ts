import { join } from "node:path";
import { readGitConfigFile } from "./config-file.ts";

/** What a repository's own settings say about its main checkout. */
export interface CoreSettings {
  isBare: boolean;
  /** `core.worktree` as it is written: relative to the git folder, or absolute. */
  worktree: string | undefined;
}

/**
 * Reads them from the files, as git does when it looks for a repository: without includes and without the user's settings.
 * A sparse checkout moves both settings to a file of the main checkout's own.
 */
export function readCoreSettings(commonDir: string): CoreSettings {
  const values = lastValues(join(commonDir, "config"));
  if (isTrue(values, "extensions.worktreeconfig")) {
    for (const [key, value] of lastValues(join(commonDir, "config.worktree"))) values.set(key, value);
  }
  return { isBare: isTrue(values, "core.bare"), worktree: values.get("core.worktree") };
}

/** By their keys; the last one of a key counts. */
function lastValues(file: string): Map<string, string | undefined> {
  return new Map(readGitConfigFile(file).map(({ key, value }) => [key, value]));
}

/** As git reads it: a name alone means yes, and so does every number but zero. */
function isTrue(values: Map<string, string | undefined>, key: string): boolean {
  if (!values.has(key)) return false;
  return !/^(?:|false|no|off|[-+]?0+|[-+]?0x0+)$/i.test(values.get(key) ?? "true");
}
