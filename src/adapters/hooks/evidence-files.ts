import { constants, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import type { EvidenceFiles } from "../../app/evidence/ports.ts";
import { evidenceCall } from "../../contract/evidence.ts";
import { fromRedacted } from "../../contract/redacted.ts";
import type { EvidenceLine } from "../../contract/hook.ts";
import { runIdPattern } from "../../contract/run.ts";
import { attempt } from "../../text/attempt.ts";
import { parseJson } from "../../text/parse-json.ts";
import { readRange, withRegular } from "../files/regular-file.ts";
import { withoutSuffix } from "../layout/file-names.ts";
import { hookPaths } from "../layout/hook-paths.ts";
import { appendLine } from "./append-line.ts";

/** The observed calls of runs: a file for each. */
export function evidenceFiles(home: string): EvidenceFiles {
  return {
    calls: (run) => (runIdPattern.test(run) ? linesOfType(hookPaths.calls(home, run), "call", evidenceCall) : []),
    append(call) {
      appendLine(
        hookPaths.calls(home, call.run),
        fromRedacted(call, (fields) => JSON.stringify(fields)),
      );
    },
    owners() {
      const times = new Map([...filesIn(hookPaths.evidenceFolder(home)), ...filesIn(hookPaths.callsFolder(home))]);
      return [...times].sort(([, one], [, other]) => other - one).map(([name]) => name);
    },
    hookLines: (owner) =>
      runIdPattern.test(owner)
        ? jsonLines(hookPaths.evidence(home, owner)).flatMap((line) => {
            const parsed = z.safeParse(evidenceLine, line);
            return parsed.success ? [parsed.data] : [];
          })
        : [],
  };
}

/** What is read of a hook's line. */
const evidenceLine: z.ZodMiniType<EvidenceLine> = z.object({
  v: z.literal(1),
  at: z.string(),
  event: z.string(),
  engine: z.string(),
  folder: z.string(),
  hook: z.record(z.string(), z.unknown()),
  owner: z.string(),
  step: z.nullable(z.string()),
  tool_use_id: z.nullable(z.string()),
  via: z.enum(["command", "http", "stream"]),
});

/** Names of owners, and when their file was last written to. */
function filesIn(folder: string): [owner: string, writtenMs: number][] {
  const names = attempt(() => readdirSync(folder), []).flatMap((name) => withoutSuffix(name, ".jsonl") ?? []);
  return names
    .filter((name) => runIdPattern.test(name))
    .map((name) => [name, attempt(() => statSync(join(folder, `${name}.jsonl`)).mtimeMs, 0)]);
}

/** The lines of one type. Those that are none of ours, or were cut off, are passed over. */
export function linesOfType<T>(path: string, type: string, schema: z.ZodMiniType<T>): T[] {
  return jsonLines(path, `"type":"${type}"`).flatMap((line) => {
    const parsed = z.safeParse(schema, line);
    return parsed.success ? [parsed.data] : [];
  });
}

/** What stands in the lines of a file that hold a text. */
function jsonLines(path: string, held = "{"): unknown[] {
  const read = (): Buffer =>
    withRegular(path, constants.O_RDONLY | constants.O_NOFOLLOW, 0, (fd, { size }) => readRange(fd, 0, Number(size)));
  return attempt(read, Buffer.alloc(0))
    .toString("utf8")
    .split("\n")
    .flatMap((line) => (line.includes(held) ? [parseJson(line)] : []));
}
