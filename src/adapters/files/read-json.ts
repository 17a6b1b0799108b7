import type { Disk } from "./disk.ts";

/** The parsed content of a small JSON file. Undefined when it is missing or unreadable, is not JSON, or `parse` throws. */
export function readJson<T>(disk: Disk, path: string, parse: (value: unknown) => T): T | undefined {
  try {
    return parse(JSON.parse(disk.read(path)?.toString("utf8") ?? ""));
  } catch {
    return undefined;
  }
}
