import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { ClewError } from "../../contract/errors.ts";

/** The folder for what steps need only while they run. */
export function tempFolder(): string {
  return resolve(tmpdir());
}

/** Throws when the folder is inside the repository: it has scripts and their values, which must not get into a commit. */
export function refuseTempFolder(root: string): void {
  const folder = tempFolder();
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder && folder !== root && !folder.startsWith(`${root}/`)) return;
  const why = isFolder ? "stands inside the repository" : "is no folder";
  throw new ClewError("invalid_config", `TMPDIR: ${folder} ${why}`, "set TMPDIR to a folder outside, such as /tmp");
}
