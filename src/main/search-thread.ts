import { workerData } from "node:worker_threads";
import { paths } from "../adapters/layout.ts";
import { fillPart } from "../adapters/search/fill-part.ts";
import type { PartWork } from "../adapters/search/fill-threads.ts";
import { openGround, type Environment } from "./wire-ground.ts";
import { openRecords } from "./wire-sessions.ts";

/** What the thread gets besides its work: where the program was called, and in which environment. */
export interface ThreadPlace {
  cwd: string;
  env: Environment;
}

const { cwd, env, ...work } = workerData as ThreadPlace & PartWork;

void fillPart(work, async () => {
  const ground = await openGround(cwd, env);
  const { redact } = await ground.redactor();
  return { folder: paths.search(ground.layout), records: openRecords(ground).records, redact };
});
