import { closeSync, constants, mkdirSync, openSync, readdirSync } from "node:fs";
import { attempt } from "../../text/attempt.ts";
import { hookPaths, type SpoolName } from "../layout/hook-paths.ts";
import { syncFolder } from "./sync-folder.ts";

const { O_WRONLY, O_CREAT, O_EXCL } = constants;

/** Engine sessions that may have told what no session has. */
export function openMarks(home: string): SpoolName[] {
  const names = attempt(() => readdirSync(hookPaths.openFolder(home)), []);
  return names.flatMap((name) => hookPaths.read(name) ?? []);
}

/** Marks an engine session, unless it is marked. */
export function markOpen(home: string, name: SpoolName): void {
  try {
    closeSync(openSync(hookPaths.open(home, name), O_WRONLY | O_CREAT | O_EXCL, 0o600));
    syncFolder(hookPaths.openFolder(home));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT") throw error;
    mkdirSync(hookPaths.openFolder(home), { recursive: true, mode: 0o700 });
    markOpen(home, name);
  }
}
