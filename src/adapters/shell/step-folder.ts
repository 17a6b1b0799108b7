import { lstatSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { ScriptInput } from "../../contract/step-input.ts";
import { prologue } from "../../grimoire/shell/prologue.ts";
import { explainErrors, isMissing } from "../files/failure.ts";
import { systemIds } from "../system/system.ts";

/**
 * The path of a new folder outside the repository, for a script and its values, which other users cannot read. It is
 * recorded before the folder is made: a crash never leaves a folder that is not recorded.
 */
export function nameStepFolder(tempFolder: string): string {
  return join(tempFolder, `clew-step-${systemIds.random(20)}`);
}

/** Linux allows variables up to 128 KiB. */
const longestVariable = 100_000;

/** Whether a script has to be a file: for its values, its shell, its length, or because it uses `$0`. */
export function needsStepFolder({ shell, script, values }: ScriptInput): boolean {
  if (shell !== "sh" || Object.keys(values).length > 0) return true;
  return /\$\{?0|\0/.test(script) || Buffer.byteLength(script) > longestVariable;
}

const stepFolderName = /^clew-step-[a-z0-9]{20}$/;

export function scriptFileIn(folder: string): string {
  return join(folder, "script");
}

export function makeStepFolder(folder: string, { script, values }: ScriptInput): void {
  const variables = Object.keys(values).map((name, index) => ({ name, path: join(folder, `value-${index}`) }));
  explainErrors(folder, () => {
    mkdirSync(folder, { mode: 0o700 });
    for (const { name, path } of variables) writeNew(path, values[name] ?? "");
    writeNew(scriptFileIn(folder), prologue(variables) + script);
  });
}

function writeNew(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600, flag: "wx" });
}

/**
 * Removes a step's folder, and nothing that only looks like one: the path may come from a file. Its parent is not checked,
 * because the process that made it may have had another TMPDIR.
 */
export function removeStepFolder(path: string): void {
  if (path !== resolve(path) || !stepFolderName.test(basename(path))) return;
  explainErrors(path, () => {
    try {
      const stats = lstatSync(path);
      const isOurs = stats.uid === process.getuid?.() && (stats.mode & 0o777) === 0o700;
      if (!stats.isDirectory() || !isOurs) return;
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    rmSync(path, { recursive: true, force: true });
  });
}
