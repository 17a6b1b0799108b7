import type { Disk } from "./disk.ts";
import { attempt } from "../../text/attempt.ts";

/** The parsed content of a small JSON file. Undefined when it is missing or unreadable, is not JSON, or `parse` throws. */
export function readJson<T>(disk: Disk, path: string, parse: (value: unknown) => T): T | undefined {
  return attempt(() => parse(JSON.parse(disk.read(path)?.toString("utf8") ?? "")), undefined);
}
