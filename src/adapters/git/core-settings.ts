import { join } from "node:path";
import { readConfigFile } from "./config-file.ts";

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
  const values = new Map([...coreValues(join(commonDir, "config")), ...coreValues(join(commonDir, "config.worktree"))]);
  return { isBare: /^(true|yes|on|1)$/i.test(values.get("bare") ?? ""), worktree: values.get("worktree") };
}

/** The settings of the section `core`, by their names; the last one of a name counts. */
function coreValues(file: string): [string, string][] {
  return readConfigFile(file)
    .filter(({ section, subsection }) => section === "core" && subsection === undefined)
    .map(({ name, value }) => [name, value]);
}
