import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { ClewError } from "../../../contract/errors.ts";
import type { WorktreeNote } from "../../../contract/worktree.ts";
import type { GitCalls } from "../git-calls.ts";
import { addWorktree } from "./add-worktree.ts";
import { clearPlace } from "./clear-place.ts";
import { copyFiles, planCopies } from "./copy-files.ts";
import { deleteFolder } from "./delete-folder.ts";
import { readEntries, type Entry } from "./entries.ts";
import type { WithLock } from "./with-lock.ts";
import { isUnfinished, userLock } from "./worktree-entries.ts";
import { writeNote } from "./note-file.ts";
import { forget, tellPlace, unlock } from "./place.ts";
import { Refusal } from "./refusal.ts";
import { dropEntries } from "./remove-worktree.ts";
import type { WorktreeSpec } from "./worktree-spec.ts";
import { rootPaths } from "../../layout.ts";
import { isFree, prepareWorktreesFolder, worktreeFolder } from "./worktree-folder.ts";

export interface MakingTools {
  withLock: WithLock;
  /** Whether a run has ended; also true of one that is unknown. */
  isOver: (runId: string) => boolean;
  /** A line for a person. */
  say: (line: string) => void;
}

export type WorktreeOutcome =
  | {
      kind: "ready";
      folder: string;
      copied: string[];
      /** Nobody got it before: it has to be set up. */ isNew: boolean;
    }
  | { kind: "refused"; message: string; /** What git printed. */ output: string };

/**
 * Makes a run's worktree, or gives the one that it has. Whoever did this before may have died anywhere: what it left is
 * gone on with, or thrown away when nobody can have worked in it. Throws `disk_full`.
 */
export async function makeWorktree(git: GitCalls, asked: WorktreeSpec, tools: MakingTools): Promise<WorktreeOutcome> {
  try {
    // Git knows folders by their real names.
    const spec = { ...asked, root: realpathSync(asked.root), commonDir: realpathSync(asked.commonDir) };
    prepareWorktreesFolder(spec.root);
    const place = await tools.withLock(() => takePlace(git, spec, tools));
    for (const folder of place.rubbish) await deleteFolder(folder);
    return await fill(git, spec, place, tools.say);
  } catch (error) {
    if (error instanceof Refusal) return { kind: "refused", message: error.message, output: error.output };
    // With room again, whoever goes on with the run tries again by itself.
    if (error instanceof ClewError && error.code !== "disk_full")
      return { kind: "refused", message: `${error.message}: ${error.hint}`, output: "" };
    throw error;
  }
}

interface Place {
  gitFolder: string;
  folder: string;
  note: WorktreeNote;
  isNew: boolean;
  /** It had lost its note: somebody may have worked in it. */
  isAdopted: boolean;
  /** Folders that were thrown away, and are still to be deleted. */
  rubbish: string[];
}

async function takePlace(git: GitCalls, spec: WorktreeSpec, { isOver, say }: MakingTools): Promise<Place> {
  const entries = await readEntries(git, spec);
  const unfinished = entries.filter((entry) => isUnfinished(entry) && entry.making?.run === spec.runId);
  const rubbish = await dropEntries(git, spec, unfinished);
  const own = entries.find((entry) => isOwn(spec, entry));
  if (own?.folder !== undefined) {
    await tellPlace(git, own);
    if (own.making) unlock(own);
    const { gitFolder, folder, note } = own;
    if (note) return { gitFolder, folder, note, isNew: !note.ready, isAdopted: false, rubbish };
    return { gitFolder, folder, note: newNote(spec), isNew: false, isAdopted: true, rubbish };
  }
  if (own) forgetMissing(own);
  const wanted = worktreeFolder(spec.root, spec.bead);
  const left = own || unfinished.length > 0 ? await readEntries(git, spec) : entries;
  rubbish.push(...(await clearPlace(git, spec, { wanted, entries: left, isOver })));
  const gitFolder = await addWorktree(git, spec, { wanted, say });
  const note = newNote(spec);
  writeNote(gitFolder, note);
  unlock({ gitFolder });
  return { gitFolder, folder: wanted, note, isNew: true, isAdopted: false, rubbish };
}

/** By its note, or by its branch when it lost that. */
function isOwn(spec: WorktreeSpec, entry: Entry): boolean {
  if (entry.note || isUnfinished(entry)) return entry.note?.run === spec.runId;
  return (
    entry.branch === spec.branch && dirname(entry.folder ?? entry.recorded ?? "") === rootPaths.worktrees(spec.root)
  );
}

/** Its folder was deleted; its branch is still there and is taken up again. */
function forgetMissing(entry: Entry): void {
  const { recorded = "" } = entry;
  if (!isFree(recorded)) throw new Refusal(`${recorded} has lost its .git file: git worktree repair mends it`);
  if (userLock(entry) !== undefined) {
    throw new Refusal(`the worktree ${recorded} is locked and its folder is not there: git worktree unlock it first`);
  }
  forget(entry);
}

function newNote({ runId: run, bead, branch, base, target, copy }: WorktreeSpec): WorktreeNote {
  return { version: 1, run, bead, branch, base, target, copied: [], ready: copy.length === 0 };
}

/** Copies what has to be copied; without the lock, because it may take long and concerns nobody else. */
async function fill(
  git: GitCalls,
  spec: WorktreeSpec,
  place: Place,
  say: (line: string) => void,
): Promise<WorktreeOutcome> {
  const { root, copy: patterns } = spec;
  const { gitFolder, folder, note, isNew, isAdopted } = place;
  if (note.ready && !isAdopted) return { kind: "ready", folder, copied: note.copied, isNew };
  const plan = await planCopies(git, { root, folder, patterns });
  if ("refusal" in plan) throw new Refusal(plan.refusal);
  const copied = [...new Set([...note.copied, ...plan.copies.map(({ path }) => path)])];
  if (!isAdopted) {
    // Noted before anything is copied, so that no copy is ever taken for work.
    if (copied.length > 0) writeNote(gitFolder, { ...note, copied });
    const remarks = await copyFiles(plan.copies, { root, folder, say });
    for (const remark of [...plan.remarks, ...remarks]) say(remark);
  }
  writeNote(gitFolder, { ...note, copied, ready: true });
  return { kind: "ready", folder, copied, isNew };
}
