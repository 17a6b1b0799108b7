import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname } from "node:path";
import type { SettingStore } from "../../app/config/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { rootPaths, homeIn, paths } from "../layout.ts";
import { boundedDisk } from "./bounded-disk.ts";
import { boundsOf, refuseLinkOut } from "./bounds.ts";
import { allowsLinkedClew, readConfigFile } from "./config-file.ts";
import type { Disk } from "./disk.ts";
import { sqliteLocks } from "./lock.ts";
import { nodeDisk } from "./node-disk.ts";
import { setConfig, settingPath } from "./set-config.ts";

interface Parts {
  userFile: string;
  /** Throws outside a repository. */
  repository: () => { root: string; commonDir: string };
}

/** A settings file, and the folder of its lock. */
interface SettingsPlace {
  disk: Disk;
  file: string;
  locks: string;
}

/** The settings files. Works also in a repository with invalid settings, so that they can be mended. */
export function settingStore({ userFile, repository }: Parts): SettingStore {
  const userPlace = (): SettingsPlace => ({ disk: nodeDisk, file: targetOf(userFile), locks: dirname(userFile) });
  const repositoryPlace = async (): Promise<SettingsPlace> => {
    const { root, commonDir } = repository();
    // Every other command reports an invalid user file; here it allows nothing.
    const isAllowed = await readConfigFile(nodeDisk, userFile).then(allowsLinkedClew, () => false);
    const bounds = boundsOf(root, commonDir, [rootPaths.clew(root)], isAllowed);
    const file = rootPaths.settings(root);
    const locks = paths.locks({ home: homeIn(commonDir) });
    for (const path of [file, locks]) refuseLinkOut(bounds, path);
    return { disk: boundedDisk(nodeDisk, bounds), file: targetOf(file), locks };
  };
  return {
    userFile,
    nameOf: (key) => settingPath(key)[0],
    async write(key, value, where) {
      const place = where === "user" ? userPlace() : await repositoryPlace();
      const target = { ...place, withLock: <T>(work: () => Promise<T>): Promise<T> => withLock(place.locks, work) };
      const change = await setConfig(where === "user" ? target : { ...target, userFile }, key, value);
      return { ...change, file: place.file };
    },
    async repositoryFileWith(name) {
      try {
        const { disk, file } = await repositoryPlace();
        return (await readConfigFile(disk, file)).values.has(name) ? file : null;
      } catch {
        return null;
      }
    },
  };
}

/** Runs `work` while no other process changes the settings. */
async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const locks = sqliteLocks(folder);
  try {
    return await locks.with("config", work);
  } finally {
    locks.close();
  }
}

/** Many users link to settings elsewhere: the link stays, and its target is written. Throws when it leads nowhere. */
function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if (!lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()) return file;
    throw new ClewError(
      "leads_outside",
      `${file} is a link to ${readlinkSync(file)}, which is not there`,
      "make the file that it leads to, or remove the link",
      { cause: error },
    );
  }
}
