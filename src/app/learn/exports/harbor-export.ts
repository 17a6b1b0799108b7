import type { ExportItem, ExportSummary, LearningCase, Puzzle } from "../../../contract/api/learn.ts";
import { ClewError } from "../../../contract/errors.ts";
import type { LeftOutReason } from "../../../contract/learn-values.ts";
import { fromRedacted, type Redacted } from "../../../contract/redacted.ts";
import { failedCommand } from "../../../learn/export/harbor/failed-command.ts";
import { baseImage, isImageName } from "../../../learn/export/harbor/base-image.ts";
import { taskFiles, taskName, taskToml, type HarborTask } from "../../../learn/export/harbor/task-files.ts";
import { caseStream, countLeftOut } from "../case-stream.ts";
import { leftOutOf } from "../left-out.ts";
import type { CommitFiles, ExportFolder, LearnParts } from "../ports.ts";
import type { ExportRequest } from "./export-request.ts";

/** Failures whose command passed later, as task folders. What cannot become one is named, with the reason. */
export async function* exportTasks(
  parts: LearnParts,
  request: ExportRequest,
  summary: ExportSummary,
): AsyncGenerator<ExportItem> {
  const { output = "", image } = request;
  if (image !== undefined && !isImageName(image))
    throw new ClewError(
      "invalid_input",
      `${JSON.stringify(image)} is no name of an image`,
      "such as node:22 or debian:12",
    );
  const commits = await parts.commits();
  const runTask = request.check ? await parts.runTask() : undefined;
  const folder = (await parts.files()).newFolder(output);
  const leaveOut = (found: LearningCase, reason: LeftOutReason): void => {
    summary.left_out.push(leftOutOf(found, reason));
    countLeftOut(summary.counts, reason);
  };
  try {
    for await (const item of caseStream(parts, { ...request, type: "puzzle" }, summary.counts)) {
      if ("leftOut" in item) {
        summary.left_out.push(item.leftOut);
        continue;
      }
      const puzzle = item.case;
      if (puzzle.type !== "puzzle") continue;
      const task = taskFor(puzzle, commits, image);
      if (typeof task === "string") {
        leaveOut(puzzle, task);
        continue;
      }
      const name = taskName(puzzle);
      writeTask(folder, name, { puzzle, task, commits });
      if (runTask) {
        const place = `${folder.place}/${name}`;
        const rewards = [await runTask(place, false), await runTask(place, true)];
        if (rewards[0] !== 0 || rewards[1] !== 1) {
          folder.remove(name);
          leaveOut(puzzle, "check_failed");
          continue;
        }
        folder.write(
          `${name}/task.toml`,
          fromRedacted(puzzle, (each) => taskToml({ puzzle: each, isChecked: true })),
        );
      }
      summary.written++;
    }
    folder.close();
    summary.files.push(output);
    yield summary;
  } finally {
    folder.discard();
  }
}

/** More changed files than this are another project, and no fix. */
const mostChanges = 1000;

function taskFor(puzzle: Puzzle, commits: CommitFiles, image: string | undefined): HarborTask | LeftOutReason {
  const command = failedCommand(puzzle);
  if (command === undefined) return "no_command";
  if (command.includes("[redacted:")) return "redacted";
  const { commit, fixed_commit: fixed } = puzzle.metadata;
  if (commit === null) return "no_commit";
  if (fixed === null) return "no_fix";
  if (!commits.has(commit) || !commits.has(fixed)) return "not_checked_out";
  if (!commits.isAncestor(commit, fixed)) return "no_fix";
  if (commits.hidesFromArchives(commit) || commits.hidesFromArchives(fixed)) return "archive_differs";
  const changes = commits.changes(commit, fixed);
  if (!changes || changes.changed.length + changes.removed.length > mostChanges) return "no_fix";
  return { puzzle, command, image: image ?? baseImage(commits.rootNames(commit)), ...changes, isChecked: false };
}

interface TaskParts {
  puzzle: Redacted<Puzzle>;
  task: HarborTask;
  commits: CommitFiles;
}

function writeTask(folder: ExportFolder, name: string, { puzzle, task, commits }: TaskParts): void {
  for (const { path, executable } of taskFiles(task)) {
    const text = fromRedacted(
      puzzle,
      (each) => taskFiles({ ...task, puzzle: each }).find((file) => file.path === path)!.text,
    );
    folder.write(`${name}/${path}`, text, { executable });
  }
  const { commit, fixed_commit: fixed } = puzzle.metadata;
  const place = `${folder.place}/${name}`;
  commits.archive(commit!, `${place}/environment/repo.tar`);
  if (task.changed.length > 0) commits.archive(fixed!, `${place}/solution/fix.tar`, [...task.changed]);
  commits.diff(commit!, fixed!, `${place}/solution/fix.patch`);
}
