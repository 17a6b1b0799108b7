import { ClewError } from "../../contract/errors.ts";
import { settingTable, type SettingName } from "../../contract/settings.ts";
import { nearest } from "../../text/nearest.ts";
import type { Disk } from "./disk.ts";
import { limits } from "./limits.ts";

const names = Object.keys(settingTable) as SettingName[];

/** The settings of one file, as they are written: scalars as text, everything else as JSON. */
export interface ConfigFile {
  file: string;
  values: Map<SettingName, string>;
  text: string;
}

/** A missing file has no settings. Throws a ClewError that names the place of an unknown setting or invalid YAML. */
export async function readConfigFile(disk: Disk, file: string): Promise<ConfigFile> {
  const text = disk.read(file, limits.settings)?.toString("utf8") ?? "";
  return { file, values: await valuesIn(text, file), text };
}

/** Whether the user's own file lets `.clew` be a link out of a repository. */
export function allowsLinkedClew({ values }: Pick<ConfigFile, "values">): boolean {
  return values.get("allow_linked_clew") === "true";
}

async function valuesIn(text: string, file: string): Promise<Map<SettingName, string>> {
  const entries = readPlain(text) ?? (await readYaml(text, file));
  const values = new Map<SettingName, string>();
  for (const [key, value] of entries) {
    const name = names.find((each) => each === key);
    if (name === undefined) throw unknownSetting(key, settingPlace(text, file, key));
    values.set(name, value);
  }
  return values;
}

/** `place` is the file and line of the key, if it is in a file. */
export function unknownSetting(key: string, place?: string): ClewError {
  const nearestName = nearest(key, names);
  const suggestion = nearestName === undefined ? "" : `; did you mean ${nearestName}?`;
  return new ClewError(
    "invalid_config",
    `${place === undefined ? "" : `${place}: `}unknown setting ${key}${suggestion}`,
    `there are ${names.join(", ")}; docs/CONFIG.md explains them`,
  );
}

/** The file and the line of a setting. */
export function settingPlace(text: string, file: string, key: string): string {
  const at = text.split("\n").findIndex((line) => line.replace(/^(["'])([^"']*)\1/, "$2").startsWith(`${key}:`));
  return at < 0 ? file : `${file}: line ${at + 1}`;
}

/** Undefined unless all lines are `key: value`. Those need no YAML reader, which costs more than most commands. */
function readPlain(text: string): [string, string][] | undefined {
  const entries: [string, string][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const match = /^([A-Za-z_]+): +([A-Za-z0-9./_-]+)\s*(?: #.*)?$/.exec(line);
    if (!match) return undefined;
    entries.push([match[1]!, match[2]!]);
  }
  return new Set(entries.map(([key]) => key)).size === entries.length ? entries : undefined;
}

async function readYaml(text: string, file: string): Promise<[string, string][]> {
  const { readYaml: read } = await import("../../session/frontmatter/yaml.ts");
  try {
    return Object.entries(read(text, 1)).map(([key, value]) => [key, settingText(value)]);
  } catch (error) {
    throw new ClewError(
      "invalid_config",
      `${file}: ${(error as Error).message}`,
      "it is YAML, one `setting: value` a line, such as `engine: scripted`; docs/CONFIG.md has them all",
    );
  }
}

/** A value as its setting reads it: scalars as they are written, everything else as JSON. */
export function settingText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
