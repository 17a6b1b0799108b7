import type { ExportItem, ExportSummary, Puzzle } from "../../../contract/api/learn.ts";
import { ClewError } from "../../../contract/errors.ts";
import type { ExclusionReason } from "../../../contract/learn-values.ts";
import { fromRedacted, type Redact, type Redacted } from "../../../contract/redacted.ts";
import { KnownCases } from "../../../learn/cases/known-cases.ts";
import { failedCommand } from "../../../learn/export/harbor/failed-command.ts";
import { baseImage, isImageName } from "../../../learn/export/harbor/base-image.ts";
import { taskFiles, taskName, taskToml, type HarborTask } from "../../../learn/export/harbor/task-files.ts";
import { caseStream, countExcluded } from "../case-stream.ts";
import { excludeCase } from "../exclude-case.ts";
import type { CommitFiles, ExportFolder, LearnParts, RunTask } from "../ports.ts";
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
  const folder = (await parts.files()).newFolder(output);
  const writer = new TaskWriter(await parts.commits(), folder, await parts.sessions.redact());
  const runTask = request.check ? await parts.runTask() : undefined;
  const known = new KnownCases();
  try {
    const cases = caseStream(parts, { ...request, type: "puzzle" }, summary.counts, { withDuplicates: true });
    for await (const item of cases) {
      if ("excluded" in item) {
        summary.left_out.push(item.excluded);
        continue;
      }
      const puzzle = item.case;
      if (puzzle.type !== "puzzle") continue;
      // Of several that say the same, the first that makes a task stands for them.
      const of = known.find(puzzle);
      const reason = of === undefined ? await writer.make(puzzle, { image, runTask }) : "duplicate";
      if (reason === undefined) {
        known.duplicateOf(puzzle);
        summary.written++;
        continue;
      }
      if (of !== undefined) summary.counts.puzzles--;
      summary.left_out.push(excludeCase(puzzle, reason, of));
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

interface Making {
  image: string | undefined;
  runTask: RunTask | undefined;
}

/** Makes task folders in an export's folder. */
class TaskWriter {
  readonly #commits: CommitFiles;
  readonly #folder: ExportFolder;
  readonly #redact: Redact;
  /** Whether the files of a commit hold what looks like a secret. Many tasks are of the same one. */
  readonly #hasSecret = new Map<string, boolean>();

  constructor(commits: CommitFiles, folder: ExportFolder, redact: Redact) {
    this.#commits = commits;
    this.#folder = folder;
    this.#redact = redact;
  }

  /** Writes a task; the reason where none can be made, which leaves nothing behind. */
  async make(puzzle: Redacted<Puzzle>, { image, runTask }: Making): Promise<ExclusionReason | undefined> {
    const task = taskFor(puzzle, this.#commits, image);
    if (typeof task === "string") return task;
    const name = taskName(puzzle);
    this.#write(name, puzzle, task);
    const reason = this.#holdsSecret(name, task) ? "secret_in_files" : await this.#check(name, puzzle, runTask);
    if (reason !== undefined) this.#folder.remove(name);
    return reason;
  }

  #write(name: string, puzzle: Redacted<Puzzle>, task: HarborTask): void {
    const files = fromRedacted(puzzle, (each) => taskFiles({ ...task, puzzle: each }));
    for (const [at, { path, executable }] of files.entries()) {
      const text = fromRedacted(files, (all) => all[at]!.text);
      this.#folder.write(`${name}/${path}`, text, { executable });
    }
    const { commit, fixed_commit: fixed } = puzzle.metadata;
    const place = `${this.#folder.place}/${name}`;
    this.#commits.archive(commit!, `${place}/${repoArchive}`);
    if (task.changed.length > 0) this.#commits.archive(fixed!, `${place}/${fixArchive}`, [...task.changed]);
    this.#commits.diff(commit!, fixed!, `${place}/solution/fix.patch`);
  }

  /** Archives are what git has, byte by byte: what is in them cannot be replaced. The patch has nothing that they have not. */
  #holdsSecret(name: string, { puzzle, changed }: HarborTask): boolean {
    const commit = puzzle.metadata.commit!;
    const found = this.#hasSecret.get(commit) ?? this.#isSecretIn(`${name}/${repoArchive}`);
    this.#hasSecret.set(commit, found);
    return found || (changed.length > 0 && this.#isSecretIn(`${name}/${fixArchive}`));
  }

  #isSecretIn(path: string): boolean {
    for (const text of this.#folder.textsOf(path)) if (this.#redact(text) !== text) return true;
    return false;
  }

  async #check(
    name: string,
    puzzle: Redacted<Puzzle>,
    runTask: RunTask | undefined,
  ): Promise<ExclusionReason | undefined> {
    if (!runTask) return undefined;
    const place = `${this.#folder.place}/${name}`;
    const rewards = [await runTask(place, false), await runTask(place, true)];
    if (rewards[0] !== 0 || rewards[1] !== 1) return "check_failed";
    const toml = fromRedacted(puzzle, (each) => taskToml({ puzzle: each, isChecked: true }));
    this.#folder.write(`${name}/task.toml`, toml);
    return undefined;
  }
}

const repoArchive = "environment/repo.tar";
const fixArchive = "solution/fix.tar";

/** More changed files than this are another project, and no fix. */
const mostChanges = 1000;

function taskFor(puzzle: Puzzle, commits: CommitFiles, image: string | undefined): HarborTask | ExclusionReason {
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
