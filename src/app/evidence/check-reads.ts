import type { GatePass, MissingEvidence } from "../../contract/evidence-values.ts";
import type { CallGate } from "../../contract/gate.ts";
import { toolKindOf } from "../../engine/tool-kinds.ts";
import { refusalOf, type NearMiss } from "../../evidence/refusal.ts";
import { nameSome } from "../../text/name-some.ts";
import type { CountedCall } from "./observed-calls.ts";
import type { WorktreeLook } from "./ports.ts";

interface Present {
  worktree: Pick<WorktreeLook, "changed" | "filesIn">;
  /** What stands in the worktree now. */
  tree: string | undefined;
}

/** Whether a gate asks for files that must have been read. */
export function asksForReads({ tool, covers }: CallGate): boolean {
  return covers.length > 0 && (tool === "read" || toolKindOf(tool) === "read");
}

/**
 * Every file that the globs cover must have been read by one of these calls, whole or in part, and be now as it was then (where the
 * gate asks for what is fresh).
 */
export async function checkReads(
  gate: CallGate,
  calls: readonly CountedCall[],
  { worktree, tree }: Present,
): Promise<GatePass | MissingEvidence> {
  const refuse = (...misses: NearMiss[]): MissingEvidence => refusalOf(gate, calls.length, misses);
  const what = gate.covers.join(", ");
  const covered = tree === undefined ? undefined : await worktree.filesIn(tree, gate.covers);
  if (tree === undefined || covered === undefined) return refuse({ what, why: "git could not tell what stands there" });
  if (covered.length === 0) return refuse({ what, why: "there is no such file", fix: "make one, or mend the gate" });
  const readNow = new Set<string>();
  const readOnce = new Set<string>();
  for (const { files = [], tree_before: before } of calls) {
    const changed = before === null ? undefined : await worktree.changed(before, tree, gate.covers);
    for (const file of files) {
      readOnce.add(file);
      if (changed && !(gate.fresh && changed.includes(file))) readNow.add(file);
    }
  }
  const unread = covered.filter((file) => !readNow.has(file));
  const last = calls.at(-1);
  if (unread.length === 0 && last && calls.length >= gate.count)
    return { id: last.id, command: last.tool, tree: last.tree === last.tree_before ? last.tree : null };
  const stale = unread.filter((file) => readOnce.has(file));
  const never = unread.filter((file) => !readOnce.has(file));
  const fix = `read ${nameSome(unread)}`;
  return refuse(
    ...(never.length === 0 ? [] : [{ what: nameSome(never), why: "was not read", fix }]),
    ...(stale.length === 0 ? [] : [{ what: nameSome(stale), why: "changed after it was read", fix }]),
  );
}
