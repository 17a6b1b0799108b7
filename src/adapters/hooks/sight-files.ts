import { constants, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { SightFiles } from "../../app/evidence/ports.ts";
import { evidenceSight, wantedEvidence, type WantedEvidence } from "../../contract/evidence.ts";
import { fromRedacted } from "../../contract/redacted.ts";
import { attempt } from "../../text/attempt.ts";
import { parseJson } from "../../text/parse-json.ts";
import { readRange, withRegular } from "../files/regular-file.ts";
import { hookPaths } from "../layout/hook-paths.ts";
import { appendLine } from "./append-line.ts";
import { linesOfType } from "./evidence-files.ts";

/** What hooks look out for, and what they saw, in Clew's own folder. */
export function sightFiles(home: string): SightFiles {
  const folder = hookPaths.wantedFolder(home);
  return {
    wanted: () => attempt(() => readdirSync(folder), []).flatMap((name) => wantedIn(join(folder, name))),
    want(wanted) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const path = hookPaths.wanted(home, wanted.run);
      // Put there at once: a hook may read it just now. It is written again when the step goes on after a crash.
      writeFileSync(`${path}.new`, `${JSON.stringify(wanted)}\n`, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
    unwant: (run) => rmSync(hookPaths.wanted(home, run), { force: true }),
    add(sight) {
      appendLine(
        hookPaths.calls(home, sight.run),
        fromRedacted(sight, (fields) => JSON.stringify(fields)),
      );
    },
    sights: (run) => linesOfType(hookPaths.calls(home, run), "sight", evidenceSight),
  };
}

function wantedIn(path: string): WantedEvidence[] {
  if (!path.endsWith(".json")) return [];
  const read = (): Buffer =>
    withRegular(path, constants.O_RDONLY | constants.O_NOFOLLOW, 0, (fd, { size }) => readRange(fd, 0, Number(size)));
  const parsed = z.safeParse(wantedEvidence, parseJson(attempt(read, Buffer.alloc(0)).toString("utf8")));
  return parsed.success ? [parsed.data] : [];
}
