import * as z from "zod/mini";
import type { QuestionDesk } from "../../app/agent/question-desk.ts";
import { permissionWords } from "../../contract/permission-values.ts";
import { questionPaths } from "../layout/session-paths.ts";
import type { Disk } from "./disk.ts";
import { readJson } from "./read-json.ts";

const question = z.object({
  words: z.array(z.enum(permissionWords)),
  pid: z.int(),
  boot: z.string(),
  answer: z.exactOptional(z.enum(permissionWords)),
});
type Question = z.infer<typeof question>;

interface Parts {
  disk: Disk;
  folder: string;
  /** This process, and the run of the machine. */
  self: { pid: number; boot: string };
  isRunning: (pid: number) => boolean;
}

/** Questions of live talks, one synced file each, for the user alone. */
export function questionFiles({ disk, folder, self, isRunning }: Parts): QuestionDesk {
  const pathOf = (id: string): string => questionPaths.question(folder, id);
  const read = (id: string): Question | undefined => readJson(disk, pathOf(id), (value) => z.parse(question, value));
  const write = (id: string, value: Question): void => {
    disk.makeFolder(folder);
    disk.replace(pathOf(id), Buffer.from(`${JSON.stringify(value)}\n`), 0o600);
  };
  return {
    open: (id, words) => write(id, { words: [...words], ...self }),
    find(id) {
      const found = read(id);
      return found && { words: found.words, isAlive: found.boot === self.boot && isRunning(found.pid) };
    },
    answer(id, word) {
      const found = read(id);
      if (found) write(id, { ...found, answer: found.answer ?? word });
    },
    answerTo: (id) => read(id)?.answer,
    close: (id) => disk.remove(pathOf(id)),
  };
}
