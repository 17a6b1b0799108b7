import { realpathSync } from "node:fs";
import { join } from "node:path";
import { boundedDisk } from "../adapters/files/bounded-disk.ts";
import { boundsOf } from "../adapters/files/bounds.ts";
import { readConfigFile } from "../adapters/files/config-file.ts";
import { nodeDisk } from "../adapters/files/node-disk.ts";
import { setConfig, settingPath } from "../adapters/files/set-config.ts";
import { findRepository } from "../adapters/git/repository.ts";
import type { SettingFiles } from "../app/settings-port.ts";
import { ClewError } from "../contract/errors.ts";
import { settingTable } from "../contract/settings.ts";
import { userFolder } from "./user-folder.ts";

interface Surrounding {
  cwd: string;
  env: Record<string, string | undefined>;
}

/** Puts together what writes settings. It works in a repository whose settings are wrong, too: this is how they are mended. */
export function openSettings({ cwd, env }: Surrounding): SettingFiles {
  const userFile = join(userFolder(env), "config.yaml");
  const repositoryFile = (): { disk: typeof nodeDisk; file: string } => {
    const { root, commonDir } = findRepository(cwd);
    const isAllowed = /^allow_linked_clew: +true\s*(?:#.*)?$/m.test(nodeDisk.read(userFile)?.toString("utf8") ?? "");
    const bounds = boundsOf(root, commonDir, [join(root, ".clew")], isAllowed);
    return { disk: boundedDisk(nodeDisk, bounds), file: join(root, ".clew", "config.yaml") };
  };
  return {
    async set(key, value, where) {
      const [name] = settingPath(key);
      if (where === "repository" && settingTable[name].isPersonal) {
        throw new ClewError(
          "invalid_config",
          `${name} loosens protection, and counts only in your own ${userFile}`,
          `clew config set ${key} ${value} --user`,
        );
      }
      const { disk, file } = where === "user" ? { disk: nodeDisk, file: realPath(userFile) } : repositoryFile();
      const change = await setConfig(disk, file, key, value);
      return { ...change, file, overriddenBy: where === "user" ? await repositoryWith(name) : null };
    },
  };

  /** The repository's file, when it says something about a setting. */
  async function repositoryWith(name: keyof typeof settingTable): Promise<string | null> {
    try {
      const { disk, file } = repositoryFile();
      return (await readConfigFile(disk, file)).values.has(name) ? file : null;
    } catch {
      return null;
    }
  }
}

/** Many keep their own settings elsewhere and link to them; the link stays. */
function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
