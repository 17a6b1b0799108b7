import { dirname } from "node:path";
import { parse } from "yaml";
import { ClewError } from "../../contract/errors.ts";
import { personalPart, settingTable, type SettingName } from "../../contract/settings.ts";
import { shellWord } from "../../text/shell-word.ts";
import { retryOnChange } from "./retry-on-change.ts";
import { settingText, unknownSetting } from "./config-file.ts";
import { FileChanged, type Disk } from "./disk.ts";
import { editConfig } from "./edit-config.ts";
import { limits } from "./limits.ts";
import { readSavedFile } from "./read-saved-record.ts";
import { removeLeftovers } from "./remove-leftovers.ts";

interface Change {
  name: SettingName;
  value: string;
  before: string | null;
}

/** Splits `worktree.setup` into the name of the setting and the path to its part. Throws when there is no such setting. */
export function settingPath(key: string): [SettingName, ...string[]] {
  const [first = "", ...parts] = key.split(".");
  if (!Object.hasOwn(settingTable, first)) throw unknownSetting(first);
  const name = first as SettingName;
  const isMapping = settingTable[name].fallback === "{}";
  if (parts.length > 0 && (!isMapping || parts.includes(""))) {
    throw new ClewError("usage", `${name} has no parts, so there is no ${key}`, `clew config set ${name} VALUE`);
  }
  return [name, ...parts];
}

interface ConfigTarget {
  disk: Disk;
  file: string;
  withLock: <T>(work: () => Promise<T>) => Promise<T>;
  /** The user's own file, where `file` is the repository's: what loosens protection goes only there. */
  userFile?: string;
}

/**
 * Sets one value in a file, and makes a missing file. The file is replaced only when the new value is valid and all other
 * settings stay the same. A refused change leaves no trace, not even a lock.
 */
export function setConfig(target: ConfigTarget, key: string, value: string): Promise<Change> {
  const { disk, file, withLock, userFile } = target;
  const path = settingPath(key);
  const first = editText(disk.read(file, limits.settings)?.toString("utf8") ?? "", file, path, value);
  if (userFile !== undefined) refusePersonalPart(first.change, key, value, userFile);
  // Editors do not use the lock.
  return withLock(() =>
    retryOnChange(file, () => {
      const savedFile = readSavedFile(disk, file, limits.settings);
      const text = savedFile?.bytes.toString("utf8") ?? "";
      const { edited, change } = editText(text, file, path, value);
      if (edited === text) return change;
      disk.makeFolder(dirname(file));
      removeLeftovers(disk, file);
      if (!savedFile && disk.stamp(file)) throw new FileChanged(file);
      disk.replace(file, Buffer.from(edited), undefined, savedFile?.stamp);
      return change;
    }),
  );
}

function refusePersonalPart(change: Change, key: string, value: string, userFile: string): void {
  const part = personalPart(change.name, change.value);
  if (part === undefined) return;
  throw new ClewError(
    "invalid_config",
    `${part} loosens protection, and counts only in your own ${userFile}`,
    `clew config set ${key} ${shellWord(value)} --user`,
  );
}

/** The text with the setting changed. Throws when the value is not valid, or another setting would change, too. */
function editText(
  text: string,
  file: string,
  path: [SettingName, ...string[]],
  value: string,
): { edited: string; change: Change } {
  const [name] = path;
  // The value as text comes first, where the setting takes text; then as YAML.
  const candidates = [value, ...yamlValue(value)].map((each) => editConfig(text, path, each, file));
  const edited = candidates.find((each) => problemOf(each, name) === undefined);
  if (edited === undefined) {
    const problem = problemOf(candidates.at(-1)!, name)!;
    throw new ClewError(
      "invalid_config",
      `${path.join(".")}: ${problem}, not ${JSON.stringify(value)}`,
      `${name}: ${settingTable[name].about}`,
    );
  }
  const [before, after] = [valuesOf(text), valuesOf(edited)];
  for (const other of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (other === name || JSON.stringify(before[other]) === JSON.stringify(after[other])) continue;
    throw new ClewError(
      "invalid_config",
      `${file} cannot be changed without changing ${other}, too`,
      "change it by hand",
    );
  }
  const previous = before[name] === undefined ? null : settingText(before[name]);
  return { edited, change: { name, value: settingText(after[name]), before: previous } };
}

function valuesOf(text: string): Record<string, unknown> {
  return (parse(text, { logLevel: "silent" }) ?? {}) as Record<string, unknown>;
}

function problemOf(text: string, name: SettingName): string | undefined {
  try {
    settingTable[name].read(settingText(valuesOf(text)[name]));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The value as YAML, such as `false`, `[.env]` or `{bug: fix-bug}`; empty when it is only text. */
function yamlValue(value: string): unknown[] {
  try {
    const parsed: unknown = parse(value, { logLevel: "silent" });
    return typeof parsed === "string" || parsed === null ? [] : [parsed];
  } catch {
    return [];
  }
}
