import { join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { settingTable, type SettingName, type SettingOrigin, type Settings } from "../../contract/settings.ts";
import { nearest } from "../../contract/suggest.ts";
import { boundedDisk } from "./bounded-disk.ts";
import { boundsOf } from "./bounds.ts";
import type { Disk } from "./disk.ts";
import { limits } from "./limits.ts";

const names = Object.keys(settingTable) as SettingName[];

export interface Config {
  settings: Settings;
  origins: SettingOrigin[];
}

/**
 * The repository's settings over the user's over the built-in ones; each value remembers where it comes from. `commonDir`
 * is undefined outside a repository.
 */
export async function readConfig(
  disk: Disk,
  root: string,
  userFolder: string,
  commonDir: string | undefined,
): Promise<Config> {
  const user = await readLayer(disk, join(userFolder, "config.yaml"));
  const isAllowed = user.values.get("allow_linked_clew") === "true";
  const inside =
    commonDir === undefined ? disk : boundedDisk(disk, boundsOf(root, commonDir, [join(root, ".clew")], isAllowed));
  const repository = await readLayer(inside, join(root, ".clew", "config.yaml"));
  refusePersonal(repository, user.file);
  const layers = [user, repository];
  const settings: Partial<Record<SettingName, unknown>> = {};
  const origins = names.map((name): SettingOrigin => {
    const layer = layers.findLast((each) => each.values.has(name));
    const value = layer?.values.get(name) ?? settingTable[name].fallback;
    try {
      settings[name] = settingTable[name].read(value);
    } catch (error) {
      throw invalid(`${layer!.file}: ${name}: ${(error as Error).message}, not ${JSON.stringify(value)}`);
    }
    return { name, value, origin: layer?.file ?? "built in" };
  });
  return { settings: settings as unknown as Settings, origins };
}

interface Layer {
  file: string;
  values: Map<SettingName, string>;
}

async function readLayer(disk: Disk, file: string): Promise<Layer> {
  const text = disk.read(file, limits.settings)?.toString("utf8") ?? "";
  const entries = readPlain(text) ?? (await readYaml(text, file));
  const values = new Map<SettingName, string>();
  for (const [key, value] of entries) {
    const name = names.find((each) => each === key);
    if (name === undefined) {
      const meant = nearest(key, names);
      throw invalid(`${file}: unknown setting ${key}${meant === undefined ? "" : `; did you mean ${meant}?`}`);
    }
    values.set(name, value);
  }
  return { file, values };
}

function refusePersonal({ file, values }: Layer, userFile: string): void {
  const personal = [...values.keys()].find((name) => settingTable[name].isPersonal);
  if (personal === undefined) return;
  throw invalid(`${file}: ${personal} loosens protection, and counts only in your own ${userFile}`);
}

/** Files of `key: value` lines need no YAML reader, which costs more than most commands. */
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
    return Object.entries(read(text, 1)).map(([key, value]) => [key, asText(value)]);
  } catch (error) {
    throw invalid(`${file}: ${(error as Error).message}`);
  }
}

/** Scalars as they are written, everything else as JSON. */
function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function invalid(message: string): ClewError {
  return new ClewError("invalid_config", message, `the settings are ${names.join(", ")}; docs/CONFIG.md explains them`);
}
