import { dirname } from "node:path";
import { parse } from "yaml";
import { ClewError } from "../../contract/errors.ts";
import { settingTable, type SettingName } from "../../contract/settings.ts";
import { againWhileChanging } from "./again-while-changing.ts";
import { settingText, unknownSetting } from "./config-file.ts";
import type { Disk } from "./disk.ts";
import { editConfig } from "./edit-config.ts";
import { limits } from "./limits.ts";

interface Change {
  name: SettingName;
  value: string;
  before: string | null;
}

/** The name of the setting in `worktree.setup`, and the way to that part. Throws when there is no such setting. */
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

/**
 * Sets one value in a file, which is made when it is missing. The file is written aside and renamed, and only when the
 * setting is right afterwards and all others are what they were.
 */
export function setConfig(disk: Disk, file: string, key: string, value: string): Promise<Change> {
  const path = settingPath(key);
  const [name] = path;
  return againWhileChanging(file, async () => {
    const found = disk.readStamped(file, limits.settings);
    const text = found?.bytes.toString("utf8") ?? "";
    // What stands there as text is meant as such, where the setting takes it so.
    const candidates = [value, ...parsed(value)].map((each) => editConfig(text, path, each, file));
    const edited = candidates.find((each) => problemOf(each, name) === undefined);
    if (edited === undefined) {
      const problem = problemOf(candidates.at(-1)!, name)!;
      throw new ClewError(
        "invalid_config",
        `${key}: ${problem}, not ${JSON.stringify(value)}`,
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
    if (edited !== text) {
      disk.makeFolder(dirname(file));
      disk.replace(file, Buffer.from(edited), undefined, found?.stamp);
    }
    const told = before[name] === undefined ? null : settingText(before[name]);
    return { name, value: settingText(after[name]), before: told };
  });
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

/** The same as YAML: `false`, `[.env]`, `{bug: fix-bug}`. */
function parsed(value: string): unknown[] {
  try {
    const read: unknown = parse(value, { logLevel: "silent" });
    return typeof read === "string" || read === null ? [] : [read];
  } catch {
    return [];
  }
}
