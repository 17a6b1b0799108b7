import { resolve } from "node:path";
import { appendToFile } from "../adapters/files/append-to-file.ts";
import { nodeDisk } from "../adapters/files/node-disk.ts";
import type { HistoryParts } from "../app/grimoire/history.ts";
import type { Ground } from "./wire-ground.ts";

/** Puts together what appends past executions to the workflow that a person named, wherever it stands. */
export function openWorkflowHistory(
  { locks, redactor }: Ground,
  { cwd, runs }: { cwd: string } & Pick<HistoryParts, "runs">,
): HistoryParts {
  return {
    runs,
    append: async (file, addition) =>
      (await locks()).with("workflow-history", () =>
        appendToFile(nodeDisk, { path: resolve(cwd, file), displayPath: file }, addition),
      ),
    redact: async () => (await redactor()).redact,
  };
}
