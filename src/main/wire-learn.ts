import { relative, sep } from "node:path";
import { systemIds } from "../adapters/system/system.ts";
import { learnApi } from "../app/learn/api.ts";
import type { Progress } from "../app/search/projection.ts";
import type { SessionParts } from "../app/session/parts.ts";
import type { Api } from "../contract/api/api.ts";
import type { Ground } from "./wire-ground.ts";

interface LearnWiring {
  sessions: SessionParts;
  find: (name: string) => Promise<string>;
  progress: Progress;
}

/** Puts together what learns from sessions. */
export function openLearn(
  { repository, layout, env }: Ground,
  { sessions, find, progress }: LearnWiring,
): Api["learn"] {
  return learnApi({
    sessions,
    find,
    progress,
    shownPath: (path) => relative(layout.root, path).split(sep).join("/"),
    files: async () => (await import("../adapters/learn/export-files.ts")).exportFiles,
    commits: async () => (await import("../adapters/git/commit-files.ts")).commitFiles(layout.root, env),
    machine: async () => (await import("../adapters/learn/machine.ts")).thisMachine(repository, env),
    giveWay: () => new Promise((pass) => setImmediate(pass)),
    runTask: async () => (await import("../adapters/learn/run-task.ts")).localTasks(env, () => systemIds.random(12)),
  });
}
