import { idsWithName, idsMatching } from "../../bead/find-by-name.ts";
import type { ListedRun, UnreadableRun } from "../../contract/api/run.ts";
import { ClewError } from "../../contract/errors.ts";
import { nearest } from "../../text/nearest.ts";
import { ambiguousBead } from "../bead/find.ts";
import type { RunStore } from "./ports.ts";
import { listRuns, type RunListParts } from "./read.ts";

export interface FindRunParts extends RunListParts {
  /** The bead that a name means; undefined when it means none. Throws when the bead was deleted. */
  findBeadId: (name: string) => string | undefined;
}

/** A run by its id, the beginning of one, its bead, or `latest`. */
export function findRun(parts: FindRunParts, text: string): string {
  const { store, findBeadId } = parts;
  if (text.trim() === "") throw new ClewError("usage", "no run is named", "clew run list shows them");
  if (store.exists(text)) return text;
  const ids = store.ids();
  const matches = ids.filter((id) => text === "latest" || id.startsWith(text));
  const [only] = matches;
  if (only !== undefined && matches.length === 1) return only;
  const { runs, unreadable } = listRuns(parts, { all: true });
  if (text === "latest" && ids.length > 0) {
    refuseUnreadable(store, unreadable, runs[0]);
    if (runs[0]) return runs[0].id;
  }
  const beadsWithRun = [...new Set(runs.map(({ bead_id }) => bead_id))];
  const beads = beadsWithRun.includes(text) ? [text] : idsMatching(text, beadsWithRun);
  // The beginning of one bead with a run may be the whole name of another without.
  const [first] = beads.length === 1 ? beads : [];
  const bead = idsWithName(text, beads).length === 1 ? first : (findBeadId(text) ?? first);
  if (bead !== undefined) {
    const latest = runs.find(({ bead_id }) => bead_id === bead);
    refuseUnreadable(store, unreadable, latest, bead);
    if (latest) return latest.id;
  }
  if (beads.length > 1 && matches.length === 0) throw ambiguousBead(text, beads);
  if (matches.length > 1) {
    throw new ClewError(
      "ambiguous_run",
      `${text} is the beginning of several runs: ${matches.sort().join(", ")}`,
      "write more of it",
    );
  }
  if (bead !== undefined) {
    throw new ClewError("unknown_run", `bead ${bead} has no run yet`, `clew run ${bead} starts one`);
  }
  const suggestion = nearest(text, [...ids, ...beadsWithRun]);
  throw new ClewError(
    "unknown_run",
    ids.length === 0 ? "there are no runs yet" : `there is no run ${text}`,
    suggestion === undefined ? "clew run BEAD starts one; clew run list shows them" : `did you mean ${suggestion}?`,
  );
}

/** Throws when a run cannot be read that was written to since the latest: an older one must not be taken for it. */
function refuseUnreadable(
  store: RunStore,
  unreadable: UnreadableRun[],
  latest: Pick<ListedRun, "updated"> | undefined,
  bead?: string,
): void {
  const sinceMs = latest ? Date.parse(latest.updated) : 0;
  const isMeant = (id: string): boolean => bead === undefined || isRunOf(store, id, bead);
  const run = unreadable.find(({ id }) => store.touchedMs(id) >= sinceMs && isMeant(id));
  if (!run) return;
  const owner = bead === undefined ? "" : `, which is bead ${bead}'s,`;
  throw new ClewError(
    "damaged_run",
    `the journal of run ${run.id}${owner} cannot be read: ${run.reason}`,
    "mend that line by hand, or move the file away to give the run up",
  );
}

/** By the journal's first line; when that is the damaged one, by the run's name, which is made of the bead's. */
function isRunOf(store: RunStore, id: string, bead: string): boolean {
  try {
    for (const { line } of store.lines(id)) return line.type === "workflow.started" && line.bead_id === bead;
  } catch (error) {
    if (!(error instanceof ClewError)) throw error;
  }
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const name = plain(id.slice("2026-11-17-".length));
  return name === plain(bead) || name.replace(/-\d{1,9}$/, "") === plain(bead);
}
