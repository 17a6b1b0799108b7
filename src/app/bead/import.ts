import { awaitedBy, cycleThrough } from "../../bead/dependency-cycle.ts";
import { mergeImported } from "../../bead/merge-import.ts";
import { readImport, type BeadLine } from "../../bead/read-import.ts";
import { waitingCircles } from "../../bead/waiting-circles.ts";
import { spliceMembers } from "../../bead/splice-members.ts";
import type { BeadImportResult } from "../../contract/api/bead-shapes.ts";
import { beadStatusOf, tombstone, type Bead } from "../../contract/bead.ts";
import { ClewError } from "../../contract/errors.ts";
import { circleInWords } from "../../text/circle-in-words.ts";
import { redactFields, type BeadParts } from "./parts.ts";
import type { BeadStore, KnownBeads } from "./ports.ts";

/** All or nothing: with any damaged line nothing is taken. `place` is what the bytes are called in errors. */
export async function importBeads(parts: BeadParts, bytes: Uint8Array, place: string): Promise<BeadImportResult> {
  const { beads, passedOver } = readImported(bytes, place);
  const clean = await redactFields(
    parts,
    beads.map(({ bead }) => bead),
  );
  const incoming = beads.map(({ bead, line }, at) => ({
    bead: clean[at]!,
    line: spliceMembers(line, bead, clean[at]!),
  }));
  let ids: BeadImportResult["ids"] = { added: [], updated: [], left: [] };
  await parts.store.put((existing) => {
    const choice = chooseImported(incoming, existing);
    ids = choice.ids;
    return choice.chosen;
  });
  const [added, updated, left] = [ids.added.length, ids.updated.length, ids.left.length];
  return { added, updated, left, passed_over: passedOver, ids };
}

/** Beads that are here, and the other status that an import would give them. Throws as the import would. */
export function statusesAfterImport(
  store: BeadStore,
  bytes: Uint8Array,
  place: string,
): { id: string; status: string }[] {
  const existingBeads = new Map(store.all().beads.map((bead) => [bead.id, bead]));
  const deletedIds = new Set(store.ids().filter((id) => !existingBeads.has(id)));
  const existing = { all: () => [...existingBeads.values()], deleted: () => deletedIds };
  return chooseImported(readImported(bytes, place).beads, existing).chosen.flatMap(({ bead }) => {
    const before = existingBeads.get(bead.id);
    const status = beadStatusOf(bead);
    return before && beadStatusOf(before) !== status ? [{ id: bead.id, status }] : [];
  });
}

/** What would change, given what there is. Throws when beads would wait for each other in a circle that is new. */
function chooseImported(
  incoming: BeadLine[],
  store: Pick<KnownBeads, "all" | "deleted">,
): { chosen: BeadLine[]; ids: BeadImportResult["ids"] } {
  const ids: BeadImportResult["ids"] = { added: [], updated: [], left: [] };
  const chosen: BeadLine[] = [];
  const existing = new Map(store.all().map((bead) => [bead.id, bead]));
  const deleted = store.deleted();
  for (const { bead, line } of incoming) {
    const existingBead = existing.get(bead.id);
    const merged = existingBead ? mergeImported(existingBead, bead) : bead;
    if (merged === existingBead || deleted.has(bead.id)) {
      ids.left.push(bead.id);
      continue;
    }
    ids[existingBead ? "updated" : "added"].push(bead.id);
    chosen.push({ bead: merged, line });
  }
  refuseNewCircles(
    existing,
    chosen.map(({ bead }) => bead),
  );
  return { chosen, ids };
}

/** Circles that were here before are not the import's fault. A new one has a dependency that was not here. */
function refuseNewCircles(existing: ReadonlyMap<string, Bead>, chosen: Bead[]): void {
  const after = new Map(existing);
  for (const bead of chosen) after.set(bead.id, bead);
  // No bead waits for a deleted one.
  for (const bead of chosen) if (bead.status === tombstone) after.delete(bead.id);
  const circles = waitingCircles([...after.values()]);
  for (const bead of chosen) {
    const before = new Set(awaitedBy(existing.get(bead.id)));
    const to = awaitedBy(bead).find((id) => !before.has(id) && circles.joins(bead.id, id));
    if (to === undefined) continue;
    const way = cycleThrough((id) => after.get(id), { from: bead.id, to }) ?? [];
    throw new ClewError(
      "invalid_input",
      `with these beads some would wait for each other: ${circleInWords([bead.id, ...way])}`,
      "nothing was imported; take one of these dependencies out and repeat",
    );
  }
}

const mostErrorsShown = 20;

/** The beads of a text; every line that is wrong is told, and then none is taken. */
function readImported(bytes: Uint8Array, place: string): { beads: BeadLine[]; passedOver: number } {
  const { beads, passedOver, errors } = readImport(bytes);
  if (errors.length === 0) return { beads, passedOver };
  const lines = errors.slice(0, mostErrorsShown).map(({ line, reason }) => `${place}:${line}: ${reason}`);
  if (errors.length > mostErrorsShown) lines.push(`and ${errors.length - mostErrorsShown} more`);
  throw new ClewError("invalid_input", lines.join("\n"), "nothing was imported; mend these lines and repeat");
}
