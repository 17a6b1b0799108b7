import * as z from "zod/mini";
import type { KeptAnswer, KeptAnswers } from "../../app/daemon/ports.ts";
import { parseJson } from "../../text/parse-json.ts";
import type { Disk } from "../files/disk.ts";
import { withFallback } from "../files/failure.ts";
import { answerPaths } from "../layout/daemon-paths.ts";

const keptMs = 24 * 60 * 60 * 1000;
/** Answers beyond this are not kept whole: a repeated request then is told that the first one was done. */
const maxAnswerChars = 1024 * 1024;
const maxKept = 10_000;

const file = z.object({
  version: z.literal(1),
  fingerprint: z.string(),
  at: z.string(),
  answer: z.nullable(z.object({ status: z.int(), type: z.string(), text: z.string() })),
});

interface Parts {
  disk: Disk;
  folder: string;
  nowMs: () => number;
}

/** One file for each key, named by its hash. */
export function answerFiles({ disk, folder, nowMs }: Parts): KeptAnswers {
  const pathOf = (key: string): string => answerPaths.answer(folder, key);
  const bytesOf = (fingerprint: string, answer: KeptAnswer | null): Buffer =>
    Buffer.from(`${JSON.stringify({ version: 1, fingerprint, at: new Date(nowMs()).toISOString(), answer })}\n`);
  const read = (path: string): z.infer<typeof file> | undefined =>
    withFallback(() => {
      const bytes = disk.read(path, 4 * maxAnswerChars);
      return bytes && z.safeParse(file, parseJson(bytes.toString("utf8"))).data;
    }, undefined);

  const isOld = ({ at }: z.infer<typeof file>): boolean => !(nowMs() - Date.parse(at) <= keptMs);
  let begun = 0;

  return {
    async begin(key, fingerprint) {
      const path = pathOf(key);
      disk.makeFolder(folder);
      if (++begun % 1000 === 0) removeOldAnswers(disk, folder, nowMs());
      const create = (): boolean => disk.create(path, bytesOf(fingerprint, null), 0o600);
      if (create()) return { kind: "new" };
      const kept = read(path);
      if (kept && isOld(kept)) {
        disk.remove(path);
        if (create()) return { kind: "new" };
      }
      if (kept && kept.fingerprint !== fingerprint) return { kind: "other" };
      return kept?.answer ? { kind: "answered", answer: kept.answer } : { kind: "unfinished" };
    },
    async finish(key, fingerprint, { status, type, text }) {
      const whole = text.length <= maxAnswerChars ? text : JSON.stringify({ done: true });
      disk.replace(pathOf(key), bytesOf(fingerprint, { status, type, text: whole }), 0o600);
    },
    async forget(key) {
      disk.remove(pathOf(key));
    },
  };
}

/** Makes room, by the times of the files: what is over a day old goes, and the oldest when there are too many. */
export function removeOldAnswers(disk: Pick<Disk, "list" | "stamp" | "remove">, folder: string, nowMs: number): void {
  const times = disk.list(folder).map((name) => {
    const path = answerPaths.inFolder(folder, name);
    return { path, atMs: Number(disk.stamp(path)?.mtimeNs ?? 0) / 1e6 };
  });
  times.sort((one, other) => other.atMs - one.atMs);
  const old = times.filter(({ atMs }, place) => nowMs - atMs > keptMs || place >= maxKept);
  for (const { path } of old) disk.remove(path);
}
