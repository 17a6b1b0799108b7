import { ClewError } from "../../contract/errors.ts";
import {
  personalPart,
  settingTable,
  type SettingName,
  type SettingOrigin,
  type Settings,
} from "../../contract/settings.ts";
import { rootPaths } from "../layout.ts";
import { userSettings } from "../layout/user-paths.ts";
import { boundedDisk } from "./bounded-disk.ts";
import { boundsOf } from "./bounds.ts";
import { allowsLinkedClew, settingPlace, readConfigFile, type ConfigFile } from "./config-file.ts";
import type { Disk } from "./disk.ts";
import { nodeDisk } from "./node-disk.ts";

const names = Object.keys(settingTable) as SettingName[];

export interface Config {
  settings: Settings;
  origins: SettingOrigin[];
}

/** The settings as they stand in the files now. Outside a repository, those of the folder count in place of a repository's. */
export function readConfigAround(
  folder: string,
  repository: { root: string; commonDir: string } | undefined,
  env: Record<string, string | undefined>,
): Promise<Config> {
  return readConfig(nodeDisk, repository?.root ?? folder, userSettings(env), repository?.commonDir);
}

/**
 * The repository's settings override the user's, and those the built-in ones; `origins` says where each value comes from.
 * `commonDir` is undefined outside a repository.
 */
async function readConfig(disk: Disk, root: string, userFile: string, commonDir: string | undefined): Promise<Config> {
  const user = await readConfigFile(disk, userFile);
  const isAllowed = allowsLinkedClew(user);
  const repositoryDisk =
    commonDir === undefined ? disk : boundedDisk(disk, boundsOf(root, commonDir, [rootPaths.clew(root)], isAllowed));
  const repository = await readConfigFile(repositoryDisk, rootPaths.settings(root));
  refusePersonal(repository, user.file);
  const settings: Partial<Record<SettingName, unknown>> = {};
  const problems: { name: SettingName; layer: ConfigFile; message: string }[] = [];
  const origins = names.map((name): SettingOrigin => {
    const setting = settingTable[name];
    const having = [user, repository].filter((each) => each.values.has(name));
    const layers = setting.merge ? having : having.slice(-1);
    const texts = layers.map((layer) => layer.values.get(name)!);
    for (const [at, layer] of layers.entries()) {
      const message = problemWith(layer, name, texts[at]!);
      if (message !== undefined) problems.push({ name, layer, message });
    }
    if (problems.length === 0) {
      const [first = setting.fallback, second] = texts;
      const value = second === undefined ? first : setting.merge!(first, second);
      settings[name] = setting.read(value);
      return { name, value, origin: layers.map(({ file }) => file).join(", ") || "built in" };
    }
    return { name, value: texts.at(-1) ?? setting.fallback, origin: "" };
  });
  const [first] = problems;
  if (first) {
    const command = `clew config set ${first.name} VALUE${first.layer === user ? " --user" : ""}`;
    const message = problems.map((each) => each.message).join("; ");
    throw new ClewError("invalid_config", message, `mend the line, or: ${command}`);
  }
  return { settings: settings as unknown as Settings, origins };
}

function problemWith({ text, file }: ConfigFile, name: SettingName, value: string): string | undefined {
  try {
    settingTable[name].read(value);
    return undefined;
  } catch (error) {
    return `${settingPlace(text, file, name)}: ${name}: ${(error as Error).message}, not ${JSON.stringify(value)}`;
  }
}

function refusePersonal({ file, values, text }: ConfigFile, userFile: string): void {
  for (const [name, value] of values) {
    const part = personalPart(name, value);
    if (part === undefined) continue;
    throw new ClewError(
      "invalid_config",
      `${settingPlace(text, file, name)}: ${part} loosens protection, and counts only in your own ${userFile}`,
      `remove the line; if you want it: clew config set ${part} ${part === name ? value : "VALUE"} --user`,
    );
  }
}
