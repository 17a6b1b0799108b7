import { mergeImported } from "../bead/merge-import.ts";
import { readImport } from "../bead/read-import.ts";
import type { Bead } from "../contract/bead.ts";
import { ClewError } from "../contract/errors.ts";
import type { KnownBeads } from "./bead-port.ts";

export interface ImportResult {
  added: number;
  updated: number;
  /** Not newer than what is here, or deleted here. */
  left: number;
  passed_over: number;
}

/** What would change, given what there is. */
export function chooseImported(
  incoming: Bead[],
  known: KnownBeads,
): { chosen: Bead[] } & Omit<ImportResult, "passed_over"> {
  const result = { chosen: [] as Bead[], added: 0, updated: 0, left: 0 };
  const existing = new Map(known.all().map((bead) => [bead.id, bead]));
  for (const bead of incoming) {
    const there = existing.get(bead.id);
    const merged = there ? mergeImported(there, bead) : bead;
    const isDeleted = !there && known.ids.has(bead.id);
    if (isDeleted || merged === there) {
      result.left++;
      continue;
    }
    result[there ? "updated" : "added"]++;
    existing.set(bead.id, merged);
    result.chosen.push(merged);
  }
  return result;
}

const mostErrorsShown = 20;

/** The beads of a text; every line that is wrong is told, and then none is taken. */
export function readImported(text: string, place: string): { beads: Bead[]; passedOver: number } {
  const { beads, passedOver, errors } = readImport(text);
  if (errors.length === 0) return { beads, passedOver };
  const lines = errors.slice(0, mostErrorsShown).map(({ line, reason }) => `${place}:${line}: ${reason}`);
  if (errors.length > mostErrorsShown) lines.push(`and ${errors.length - mostErrorsShown} more`);
  throw new ClewError("invalid_input", lines.join("\n"), "nothing was imported; mend these lines and repeat");
}
