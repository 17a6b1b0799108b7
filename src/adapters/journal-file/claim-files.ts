import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Claims } from "../../app/run-ports.ts";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";

/** `run` is null while one is being made: a crash may leave it so. */
const claimFile = z.object({ bead: z.string(), run: z.nullable(z.string()) });

interface Parts {
  disk: Disk;
  folder: string;
  locks: () => Promise<Locks>;
}

/** One synced file for each bead that a run works on. */
export function claimFiles({ disk, folder, locks }: Parts): Claims {
  const path = (bead: string): string => join(folder, `${fileName(bead)}.json`);
  const write = (bead: string, run: string | null): void => {
    disk.makeFolder(folder);
    disk.replace(path(bead), Buffer.from(`${JSON.stringify({ bead, run })}\n`), 0o600);
  };
  const read = (bead: string): { run: string | null } | undefined => {
    const bytes = disk.read(path(bead));
    if (!bytes) return undefined;
    try {
      return claimFile.parse(JSON.parse(bytes.toString("utf8")));
    } catch {
      return { run: null };
    }
  };
  return {
    async claim(bead, { isOpen, find, start }) {
      return (await locks()).with("claims", async () => {
        // A claim without its run is what a crash left, and somebody may have removed one: the runs themselves know.
        const claimed = read(bead)?.run;
        const holder = claimed ?? find();
        if (holder !== undefined && isOpen(holder)) {
          if (claimed !== holder) write(bead, holder);
          return { runId: holder, isNew: false };
        }
        write(bead, null);
        try {
          const runId = await start();
          write(bead, runId);
          return { runId, isNew: true };
        } catch (error) {
          if (find() === undefined) disk.remove(path(bead));
          throw error;
        }
      });
    },
    async release(bead, run) {
      await (
        await locks()
      ).with("claims", () => {
        if (read(bead)?.run === run) disk.remove(path(bead));
      });
    },
  };
}

/** Any id as a file's name, which may have 255 bytes. */
function fileName(bead: string): string {
  const name = Buffer.from(bead).toString("base64url");
  return name.length <= 200 ? name : createHash("sha256").update(bead).digest("hex");
}
