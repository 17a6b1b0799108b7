import type { Frontmatter } from "../../contract/session.ts";
import { paths, type Layout } from "../layout.ts";
import type { Disk } from "./disk.ts";
import { readJson } from "./read-json.ts";
import { dropOrphans } from "./results-file.ts";

// An import that goes on with a session writes results before session.md has their calls. A note beside them tells the next one what
// to take back when it was cut off in between.

interface Note {
  /** The size of results.jsonl before. */
  size: number;
  /** What session.md said of engine sessions before: an import that was written says something else. */
  engineSessions: string;
}

type Owner = Pick<Frontmatter, "engine_sessions">;

/** On disk before the first result is. The caller holds the session's lock. */
export function noteResults(disk: Disk, layout: Layout, id: string, size: number, before: Owner): void {
  const note: Note = { size, engineSessions: engineSessionsOf(before) };
  disk.replace(paths.resultsNote(layout, id), Buffer.from(JSON.stringify(note)));
  // It would take these results for such as have no entry.
  disk.remove(paths.state(layout, id));
}

export function forgetNote(disk: Disk, layout: Layout, id: string): void {
  disk.remove(paths.resultsNote(layout, id));
}

/** Takes back the results of an import that was cut off before it wrote session.md. The caller holds the session's lock. */
export function dropCutOffResults(disk: Disk, layout: Layout, id: string, frontmatter: Owner): void {
  const file = paths.resultsNote(layout, id);
  if (!disk.stamp(file)) return;
  const note = readJson(disk, file, (value) => value as Partial<Note> | null);
  if (typeof note?.size === "number" && note.engineSessions === engineSessionsOf(frontmatter))
    dropOrphans(disk, paths.results(layout, id), note.size);
  forgetNote(disk, layout, id);
}

function engineSessionsOf({ engine_sessions }: Owner): string {
  return JSON.stringify(engine_sessions ?? []);
}
