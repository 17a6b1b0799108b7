import { statSync } from "node:fs";
import { ClewError } from "../../contract/errors.ts";

/** Throws when the folder is inside the repository: it has scripts and their values, which must not get into a commit. */
export function refuseTempFolder(folder: string, root: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder && folder !== root && !folder.startsWith(`${root}/`)) return;
  const why = isFolder ? "stands inside the repository" : "is no folder";
  throw new ClewError("invalid_config", `TMPDIR: ${folder} ${why}`, "set TMPDIR to a folder outside, such as /tmp");
}
