import { chmod, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { explainFailure } from "../../files/failure.ts";

/** Deletes a folder with all that is in it, also where it is not writable: package caches often are not. */
export async function deleteFolder(folder: string): Promise<void> {
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    await remove().catch(async () => {
      await allowWriting(folder);
      await remove();
    });
  } catch (error) {
    throw explainFailure(error, folder);
  }
}

async function allowWriting(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const each of await readdir(folder, { withFileTypes: true })) {
    if (each.isDirectory()) await allowWriting(join(folder, each.name));
  }
}
