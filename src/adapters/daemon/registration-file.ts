import { constants } from "node:fs";
import * as z from "zod/mini";
import type { Registration } from "../../app/daemon/process-ports.ts";
import type { Disk } from "../files/disk.ts";
import { readAll, withRegular } from "../files/regular-file.ts";

const text = z.string();
const registrationVersion = 1;

/** Further fields are passed over: a later version may have them. */
const registrationSchema = z.object({
  version: z.literal(registrationVersion),
  id: text,
  kind: z.enum(["daemon", "scheduler"]),
  pid: z.int().check(z.positive()),
  process_started: text,
  boot: text,
  program: text,
  started: text,
  root: text,
  socket: z.nullable(text),
  url: z.nullable(text),
  is_ending: z.boolean(),
});

const maxBytes = 64 * 1024;

/** Undefined when there is none, or none that can be read. It is written without links, and read so. */
export function readRegistration(path: string): Registration | undefined {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
    const bytes = withRegular(path, flags, 0, (fd, stats) => readAll(fd, stats, path, maxBytes));
    const { version: _, ...registration } = registrationSchema.parse(JSON.parse(bytes.toString("utf8")));
    return registration;
  } catch {
    return undefined;
  }
}

/** For the user alone (0600), and not synced: after a power cut no process of before lives. */
export function writeRegistration(disk: Disk, path: string, registration: Registration): void {
  disk.replaceUnsynced(path, Buffer.from(`${JSON.stringify({ version: registrationVersion, ...registration })}\n`));
}
