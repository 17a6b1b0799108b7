import { ClewError } from "../../contract/errors.ts";
import { JsonProblem } from "../../hook/settings/json-tree.ts";
import { lineDiff } from "../../hook/settings/line-diff.ts";
import { TomlProblem } from "../../hook/settings/toml-tables.ts";
import type { EngineSettingsFiles, SettingsPlace } from "./ports.ts";

/** What is to be done with a file of an engine's settings. */
export interface PlannedEdit {
  change: "made" | "changed" | "removed" | "none";
  diff: string[];
  write: () => void;
}

/**
 * Plans one change of a file. Nothing is written before all are known to be possible. Throws a ClewError for a file that cannot
 * be read or edited.
 */
export function plannedEdit(
  files: EngineSettingsFiles,
  place: SettingsPlace,
  edit: (text: string | undefined) => string | undefined,
): PlannedEdit {
  const before = files.read(place);
  const after = nameFileInErrors(place, () => edit(before));
  const change =
    before === after ? "none" : before === undefined ? "made" : after === undefined ? "removed" : "changed";
  return {
    change,
    diff: lineDiff(before, after),
    write: () => {
      if (change !== "none") files.replace(place, before, after);
    },
  };
}

/** What is wrong with a file names it, and says what to do. */
export function nameFileInErrors<T>({ path }: SettingsPlace, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ClewError) throw error;
    const hasLine = error instanceof JsonProblem || error instanceof TomlProblem;
    const message = `${path}${hasLine ? ", " : ": "}${(error as Error).message}`;
    throw new ClewError("unreadable_file", message, "put that right, or move the file aside, then repeat the command");
  }
}
