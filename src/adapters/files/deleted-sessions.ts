import { dirname } from "node:path";
import { paths, type Layout } from "../layout.ts";
import type { Disk } from "./disk.ts";

// The engine sessions of sessions that a person deleted: no import brings them back.

/** As `engine session`. Lines that a crash tore are left aside. */
export function deletedEngineSessions(disk: Disk, layout: Layout): string[] {
  const text = disk.read(paths.deletedEngineSessions(layout))?.toString("utf8") ?? "";
  return text.split("\n").filter((line) => line.includes(" "));
}

/** On disk when this returns. */
export function addDeletedEngineSessions(disk: Disk, layout: Layout, keys: string[]): void {
  if (keys.length === 0) return;
  const file = paths.deletedEngineSessions(layout);
  disk.makeFolder(dirname(file));
  disk.append(file, Buffer.from(`\n${keys.join("\n")}\n`), 0o600);
  disk.syncNow(file);
}
