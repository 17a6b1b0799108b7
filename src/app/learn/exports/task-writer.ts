import type { Puzzle } from "../../../contract/api/learn.ts";
import { interruptedExport } from "./interrupted-export.ts";
import { fromRedacted, type Redacted } from "../../../contract/redacted.ts";
import { failedCommand } from "../../../learn/export/harbor/failed-command.ts";
import { portableCommand, type Machine } from "../../../learn/export/harbor/portable-command.ts";
import { taskFiles, taskName, taskToml, type HarborTask } from "../../../learn/export/harbor/task-files.ts";
import type { CommitFiles, ExportFolder, RunTask } from "../ports.ts";
import type { KnownCommits, Obstacle } from "./known-commits.ts";

const repoArchive = "environment/repo.tar";
const fixArchive = "solution/fix.tar";

/** More changed files than this are another project, and no fix. */
const mostChanges = 1000;
/** All tasks of an export together: each has the files of its commit. */
const mostBytes = 4 * 1024 ** 3;

export interface TaskWriterParts {
  commits: CommitFiles;
  known: KnownCommits;
  folder: ExportFolder;
  machine: Machine;
  image: string | undefined;
  /** Tries each task; without it, none is tried. */
  runTask: RunTask | undefined;
  signal: AbortSignal;
}

/** Makes task folders in an export's folder. */
export class TaskWriter {
  readonly #parts: TaskWriterParts;
  /** A task that has the archive of a commit. */
  readonly #archives = new Map<string, string>();
  #bytes = 0;

  constructor(parts: TaskWriterParts) {
    this.#parts = parts;
  }

  /** Writes a task; why none can be made, which leaves nothing behind. Throws when it was interrupted. */
  async make(puzzle: Redacted<Puzzle>): Promise<Obstacle | undefined> {
    const task = this.#taskFor(puzzle);
    if ("reason" in task) return task;
    const name = taskName(puzzle);
    this.#write(name, puzzle, task);
    const obstacle = await this.#check(name, puzzle);
    if (obstacle) this.#parts.folder.remove(name);
    else {
      this.#bytes += this.#parts.folder.bytes(name);
      this.#archives.set(puzzle.metadata.commit!, `${name}/${repoArchive}`);
    }
    return obstacle;
  }

  #taskFor(puzzle: Puzzle): HarborTask | Obstacle {
    const failed = failedCommand(puzzle);
    if (failed === undefined) return { reason: "no_command" };
    if (failed.command.includes("[redacted:")) return { reason: "redacted" };
    const command = portableCommand(failed, this.#parts.machine);
    if (command === undefined) return { reason: "outside_folder" };
    const { commit, fixed_commit: fixed } = puzzle.metadata;
    if (commit === null) return { reason: "no_commit" };
    if (fixed === null) return { reason: "no_fix" };
    const { known } = this.#parts;
    const obstacle = known.obstacle(commit) ?? known.obstacle(fixed);
    if (obstacle) return obstacle;
    const changes = known.changes(commit, fixed);
    if (!changes || changes.changed.length + changes.removed.length > mostChanges) return { reason: "no_fix" };
    const { bytes, image, obstacle: inFiles } = known.facts(commit);
    const inFix = inFiles ?? known.obstacleIn(fixed, changes.changed);
    if (inFix) return inFix;
    if (this.#bytes + bytes > mostBytes) return { reason: "too_large" };
    return { puzzle, ...command, image: this.#parts.image ?? image, ...changes, isChecked: false };
  }

  #write(name: string, puzzle: Redacted<Puzzle>, task: HarborTask): void {
    const { commits, folder } = this.#parts;
    const files = fromRedacted(puzzle, (each) => taskFiles({ ...task, puzzle: each }));
    for (const [at, { path, executable }] of files.entries()) {
      const text = fromRedacted(files, (all) => all[at]!.text);
      folder.write(`${name}/${path}`, text, { executable });
    }
    const { commit, fixed_commit: fixed } = puzzle.metadata;
    const place = `${folder.place}/${name}`;
    const archived = this.#archives.get(commit!);
    if (archived !== undefined) folder.copy(archived, `${name}/${repoArchive}`);
    else commits.archive(commit!, `${place}/${repoArchive}`);
    if (task.changed.length > 0) commits.archive(fixed!, `${place}/${fixArchive}`, [...task.changed]);
    commits.diff(commit!, fixed!, `${place}/solution/fix.patch`);
  }

  async #check(name: string, puzzle: Redacted<Puzzle>): Promise<Obstacle | undefined> {
    const { runTask, folder, signal } = this.#parts;
    if (!runTask) return undefined;
    const place = `${folder.place}/${name}`;
    const reward = await runTask({ folder: place, solved: false, signal });
    const solved = reward === 0 ? await runTask({ folder: place, solved: true, signal }) : undefined;
    if (signal.aborted) throw interruptedExport();
    if (solved !== 1) return { reason: "check_failed" };
    const toml = fromRedacted(puzzle, (each) => taskToml({ puzzle: each, isChecked: true }));
    folder.write(`${name}/task.toml`, toml);
    return undefined;
  }
}
