import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { ClewError } from "../../../contract/errors.ts";
import type { WorktreeNote } from "../../../contract/worktree.ts";
import type { GitCalls } from "../git-calls.ts";
import { addWorktree, type WorktreeSpec } from "./add-worktree.ts";
import { clearPlace } from "./clear-place.ts";
import { copyFiles, planCopies } from "./copy-files.ts";
import { deleteFolder } from "./delete-folder.ts";
import { readEntries, type GitWorktree } from "./git-worktree-entries.ts";
import type { WithLock } from "../locks-of-git.ts";
import { isHalfPrepared, userLock } from "./run-worktree-entries.ts";
import { writeNote } from "./note-file.ts";
import { forgetEntry, recordPlace, unlockEntry } from "./move-worktree.ts";
import { WorktreeRefusal } from "./refusal.ts";
import { dropEntries } from "./remove-worktree.ts";
import { rootPaths } from "../../layout.ts";
import { worktreePaths } from "../../layout/worktree-paths.ts";
import { isFree, prepareWorktreesFolder } from "./worktree-folder.ts";

export interface MakingTools {
  withLock: WithLock;
  /** Whether a run has ended; also true of one that is unknown. */
  isOver: (runId: string) => boolean;
  /** A line for a person. */
  report: (line: string) => void;
}

/** `isNew` when no step has worked in it; `output` is what git printed. */
export type WorktreeOutcome =
  | { kind: "ready"; folder: string; copied: string[]; isNew: boolean }
  | { kind: "refused"; message: string; output: string };

/**
 * Makes a run's worktree, or returns the one that it has. A process that did this before may have died anywhere: what it
 * left is finished, or removed when no step can have worked in it. Throws `disk_full`.
 */
export async function makeWorktree(git: GitCalls, input: WorktreeSpec, tools: MakingTools): Promise<WorktreeOutcome> {
  try {
    // Git knows folders by their real names.
    const spec = { ...input, root: realpathSync(input.root), commonDir: realpathSync(input.commonDir) };
    prepareWorktreesFolder(spec.root);
    const place = await tools.withLock(() => takePlace(git, spec, tools));
    for (const folder of place.rubbish) await deleteFolder(folder);
    return await copyInto(git, spec, place, tools.report);
  } catch (error) {
    if (error instanceof WorktreeRefusal) return { kind: "refused", message: error.message, output: error.output };
    // With room again, the next driver of the run tries again by itself.
    if (!(error instanceof ClewError) || error.code === "disk_full") throw error;
    return { kind: "refused", message: `${error.message}: ${error.hint}`, output: "" };
  }
}

interface Place {
  gitFolder: string;
  folder: string;
  note: WorktreeNote;
  isNew: boolean;
  /** It had lost its note: a step or a person may have worked in it. */
  isAdopted: boolean;
  /** Folders that were thrown away, and are still to be deleted. */
  rubbish: string[];
}

async function takePlace(git: GitCalls, spec: WorktreeSpec, { isOver, report }: MakingTools): Promise<Place> {
  const entries = await readEntries(git, spec);
  const unfinished = entries.filter((entry) => isHalfPrepared(entry) && entry.makingMark?.run === spec.runId);
  const rubbish = await dropEntries(git, spec, unfinished);
  const ownEntry = entries.find((entry) => belongsTo(spec, entry));
  if (ownEntry?.folder !== undefined) {
    await recordPlace(git, ownEntry);
    if (ownEntry.makingMark) unlockEntry(ownEntry);
    const { gitFolder, folder, note } = ownEntry;
    if (note) return { gitFolder, folder, note, isNew: !note.ready, isAdopted: false, rubbish };
    return { gitFolder, folder, note: newNote(spec), isNew: false, isAdopted: true, rubbish };
  }
  if (ownEntry) forgetMissing(ownEntry);
  const newFolder = worktreePaths.of(spec.root, spec.bead);
  const remainingEntries = ownEntry || unfinished.length > 0 ? await readEntries(git, spec) : entries;
  rubbish.push(...(await clearPlace(git, spec, { newFolder, entries: remainingEntries, isOver })));
  const gitFolder = await addWorktree(git, spec, newFolder, report);
  const note = newNote(spec);
  writeNote(gitFolder, note);
  unlockEntry({ gitFolder });
  return { gitFolder, folder: newFolder, note, isNew: true, isAdopted: false, rubbish };
}

/** Whether a worktree is the run's: by its note, or by its branch when it lost that. */
function belongsTo(spec: WorktreeSpec, entry: GitWorktree): boolean {
  if (entry.note || isHalfPrepared(entry)) return entry.note?.run === spec.runId;
  const parent = dirname(entry.folder ?? entry.recordedFolder ?? "");
  return entry.branch === spec.branch && parent === rootPaths.worktrees(spec.root);
}

/** Forgets a worktree whose folder was deleted; the next one takes up its branch again. */
function forgetMissing(entry: GitWorktree): void {
  const { recordedFolder: folder = "" } = entry;
  if (!isFree(folder)) throw new WorktreeRefusal(`${folder} has lost its .git file: git worktree repair mends it`);
  if (userLock(entry) !== undefined) {
    throw new WorktreeRefusal(
      `the worktree ${folder} is locked and its folder is not there: git worktree unlock it first`,
    );
  }
  forgetEntry(entry);
}

function newNote({ runId: run, bead, branch, base, target, copy }: WorktreeSpec): WorktreeNote {
  return { version: 1, run, bead, branch, base, target, copied: [], ready: copy.length === 0 };
}

/** Copies what has to be copied; without the lock, because it may take long and touches only this worktree. */
async function copyInto(
  git: GitCalls,
  spec: WorktreeSpec,
  place: Place,
  report: (line: string) => void,
): Promise<WorktreeOutcome> {
  const { root, copy: patterns } = spec;
  const { gitFolder, folder, note, isNew, isAdopted } = place;
  if (note.ready && !isAdopted) return { kind: "ready", folder, copied: note.copied, isNew };
  const plan = await planCopies(git, { root, folder, patterns });
  if ("refusal" in plan) throw new WorktreeRefusal(plan.refusal);
  const copied = [...new Set([...note.copied, ...plan.copies.map(({ path }) => path)])];
  if (!isAdopted) {
    // Noted before anything is copied, so that no copy is ever taken for work.
    if (copied.length > 0) writeNote(gitFolder, { ...note, copied });
    const remarks = await copyFiles(plan.copies, { root, folder, report });
    for (const remark of [...plan.remarks, ...remarks]) report(remark);
  }
  writeNote(gitFolder, { ...note, copied, ready: true });
  return { kind: "ready", folder, copied, isNew };
}
