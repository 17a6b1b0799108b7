import { ClewError } from "../../contract/errors.ts";
import { settingTable, type SettingName, type SettingOrigin, type Settings } from "../../contract/settings.ts";
import { rootPaths, userSettings } from "../layout.ts";
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
  const layers = [user, repository];
  const settings: Partial<Record<SettingName, unknown>> = {};
  const problems: { name: SettingName; layer: ConfigFile; message: string }[] = [];
  const origins = names.map((name): SettingOrigin => {
    const layer = layers.findLast((each) => each.values.has(name));
    const value = layer?.values.get(name) ?? settingTable[name].fallback;
    try {
      settings[name] = settingTable[name].read(value);
    } catch (error) {
      const place = settingPlace(layer!.text, layer!.file, name);
      const message = `${place}: ${name}: ${(error as Error).message}, not ${JSON.stringify(value)}`;
      problems.push({ name, layer: layer!, message });
    }
    return { name, value, origin: layer?.file ?? "built in" };
  });
  const [first] = problems;
  if (first) {
    const command = `clew config set ${first.name} VALUE${first.layer === user ? " --user" : ""}`;
    const message = problems.map((each) => each.message).join("; ");
    throw new ClewError("invalid_config", message, `mend the line, or: ${command}`);
  }
  return { settings: settings as unknown as Settings, origins };
}

function refusePersonal({ file, values, text }: ConfigFile, userFile: string): void {
  const personal = [...values.keys()].find((name) => settingTable[name].isPersonal);
  if (personal === undefined) return;
  throw new ClewError(
    "invalid_config",
    `${settingPlace(text, file, personal)}: ${personal} loosens protection, and counts only in your own ${userFile}`,
    `remove the line; if you want it: clew config set ${personal} ${values.get(personal)} --user`,
  );
}
