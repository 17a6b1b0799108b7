import { questionFiles } from "../adapters/files/question-files.ts";
import { isRunning } from "../adapters/system/is-running.ts";
import { paths } from "../adapters/layout.ts";
import { bootName } from "../adapters/system/system.ts";
import type { QuestionDesk } from "../app/agent/question-desk.ts";
import type { Ground } from "./wire-ground.ts";

/** Puts together where the agents of talks wait for answers. */
export function openQuestions({ disk, layout }: Ground): QuestionDesk {
  const self = { pid: process.pid, boot: bootName() };
  return questionFiles({ disk, folder: paths.questions(layout), self, isRunning });
}
