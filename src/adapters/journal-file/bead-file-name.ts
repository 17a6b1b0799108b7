import { join } from "node:path";

/** The id if it can name a file on every disk, also a case-insensitive one; else a hash of it. */
export function beadFileName(bead: string): string {
  if (/^[a-z0-9][a-z0-9.-]{0,99}$/.test(bead)) return bead;
  // Loading it takes longer than the rest of many a command, and few ids need it.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return createHash("sha256").update(bead).digest("hex");
}

/** The file of a bead's claim, and the one that the first versions used. */
export function claimPaths(folder: string, bead: string): [string, string?] {
  const path = join(folder, `${beadFileName(bead)}.json`);
  const legacyName = Buffer.from(bead).toString("base64url");
  return legacyName.length <= 200 ? [path, join(folder, `${legacyName}.json`)] : [path];
}
