import { join } from "node:path";
import * as z from "zod/mini";
import type { Redact } from "../../contract/redacted.ts";
import type { RefusedBead, RefusedBeads } from "../../app/scheduler/refused-beads.ts";
import type { Disk } from "../files/disk.ts";
import { readJson } from "../files/read-json.ts";
import { refusedPath } from "../layout/run-paths.ts";

/** A file that cannot be read counts as none; the scheduler writes it again at the next refusal. */
const refusedFile = z.object({
  bead: z.string(),
  code: z.string(),
  message: z.string(),
  hint: z.string(),
  at: z.string(),
});

interface Parts {
  disk: Disk;
  folder: string;
  redact: () => Promise<Redact>;
  nowMs: () => number;
}

/** One synced file for each bead that the scheduler could not start. */
export function refusedFiles({ disk, folder, redact, nowMs }: Parts): RefusedBeads {
  const path = (bead: string): string => refusedPath(folder, bead);
  const read = (file: string): RefusedBead | undefined => readJson(disk, file, (value) => refusedFile.parse(value));
  return {
    all: () =>
      disk
        .list(folder)
        .filter((name) => name.endsWith(".json") && !name.startsWith("."))
        .sort()
        .flatMap((name) => read(join(folder, name)) ?? []),
    async put({ bead, code, message, hint }) {
      const redacted = await redact();
      if (redacted(bead) !== bead) return;
      const refusal = { bead, code, message: redacted(message), hint: redacted(hint) };
      const { at, ...previous } = read(path(bead)) ?? { at: "" };
      if (at !== "" && JSON.stringify(previous) === JSON.stringify(refusal)) return;
      disk.makeFolder(folder);
      const text = JSON.stringify({ ...refusal, at: new Date(nowMs()).toISOString() });
      disk.replace(path(bead), Buffer.from(`${text}\n`), 0o600);
    },
    drop(bead) {
      try {
        disk.remove(path(bead));
      } catch {
        // This must not end a run that has begun; the daemon tries again.
      }
    },
  };
}
