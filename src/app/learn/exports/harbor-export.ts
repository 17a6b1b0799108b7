import type { ExportItem, ExportSummary } from "../../../contract/api/learn.ts";
import { ClewError } from "../../../contract/errors.ts";
import { KnownCases } from "../../../learn/cases/known-cases.ts";
import { isImageName } from "../../../learn/export/harbor/base-image.ts";
import { caseStream, countExcluded } from "../case-stream.ts";
import { excludeCase } from "../exclude-case.ts";
import type { LearnParts } from "../ports.ts";
import type { ExportRequest } from "./export-request.ts";
import { KnownCommits } from "./known-commits.ts";
import { TaskWriter } from "./task-writer.ts";

/** Failures whose command passed later, as task folders. What cannot become one is named, with the reason. */
export async function* exportTasks(
  parts: LearnParts,
  request: ExportRequest,
  summary: ExportSummary,
): AsyncGenerator<ExportItem> {
  const { output = "", image, signal } = request;
  if (image !== undefined && !isImageName(image))
    throw new ClewError(
      "invalid_input",
      `${JSON.stringify(image)} is no name of an image`,
      "such as node:22 or debian:12",
    );
  const [commits, machine] = [await parts.commits(), await parts.machine()];
  const runTask = request.check ? await parts.runTask() : undefined;
  const known = new KnownCommits(commits, await parts.sessions.redact());
  const cases = new KnownCases();
  const folder = (await parts.files()).newFolder(output);
  const writer = new TaskWriter({ commits, known, folder, machine, image, runTask, signal });
  try {
    const stream = caseStream(parts, { ...request, type: "puzzle" }, summary.counts, {
      withDuplicates: true,
      signal,
    });
    for await (const item of stream) {
      if ("excluded" in item) {
        summary.left_out.push(item.excluded);
        continue;
      }
      const puzzle = item.case;
      if (puzzle.type !== "puzzle") continue;
      // Of several that say the same, the first that makes a task stands for them.
      const of = cases.find(puzzle);
      const obstacle = of === undefined ? await writer.make(puzzle) : { reason: "duplicate" as const };
      if (obstacle === undefined) {
        cases.duplicateOf(puzzle);
        summary.written++;
        continue;
      }
      if (of !== undefined) summary.counts.puzzles--;
      const { reason, file } = { file: undefined, ...obstacle };
      summary.left_out.push({ ...excludeCase(puzzle, reason, of), ...(file !== undefined && { file }) });
      countExcluded(summary.counts, reason);
    }
    // A folder of no tasks helps nobody.
    if (summary.written > 0) {
      folder.close();
      summary.files.push(output);
    }
    yield summary;
  } finally {
    folder.discard();
  }
}
