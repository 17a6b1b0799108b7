import { lstatSync, readdirSync, type Dirent } from "node:fs";
import { join } from "node:path";
import type { ImportedEngine } from "../../contract/import-values.ts";
import type { SkippedFile, TranscriptFile } from "../../app/import/ports.ts";
import type { TranscriptAbout } from "../../engine/transcript/event.ts";
import { describeKind } from "../files/regular-file.ts";

/** What a look through an engine's folders found. */
export interface Listing {
  files: TranscriptFile[];
  skipped: SkippedFile[];
}

/** None where there is no such folder, or no right to look into it. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export function foldersIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}

/** Adds the transcripts of one folder. `aboutOf` tells what a name says; undefined for a file that is none. */
export function addFolder(
  listing: Listing,
  engine: ImportedEngine,
  folder: string,
  aboutOf: (name: string) => TranscriptAbout | undefined,
): void {
  for (const entry of entriesOf(folder)) {
    if (entry.isDirectory()) continue;
    const about = aboutOf(entry.name);
    if (about) addFile(listing, { engine, path: join(folder, entry.name), about });
  }
}

/** Adds a file as it is now. */
function addFile({ files, skipped }: Listing, file: Pick<TranscriptFile, "engine" | "path" | "about">): void {
  const stats = lstatSync(file.path, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isFile()) {
    const kind = stats.isSymbolicLink() ? "a link" : describeKind(stats);
    return void skipped.push({ path: file.path, reason: `is ${kind}, not a file` });
  }
  const { ino, size, mtimeMs } = stats;
  files.push({ ...file, stamp: `${ino}-${size}-${mtimeMs}`, bytes: size, writtenMs: mtimeMs });
}
