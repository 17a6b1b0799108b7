import type { RunDiff } from "../../contract/api/run.ts";
import { ClewError } from "../../contract/errors.ts";
import type { MergeOffer } from "../../contract/merge-offer.ts";
import type { RunDiffs, RunStore } from "./ports.ts";
import { readPinnedRun } from "./read.ts";

/** What waits for approval, and what has landed. */
export function offersOf(
  store: RunStore,
  runId: string,
): { offered: MergeOffer | undefined; landed: MergeOffer[]; isApprovalOpen: boolean } {
  const { offer, landed, approved } = store.digest(runId);
  const wait = offer && store.lineAt(runId, offer);
  return {
    offered: wait && "merge" in wait ? wait.merge : undefined,
    landed: landed.flatMap((place) => {
      const line = store.lineAt(runId, place);
      return line.type === "workflow.step.started" && line.input?.kind === "merge" ? (line.input.offer ?? []) : [];
    }),
    isApprovalOpen: approved !== null,
  };
}

/** For a person who looked at a diff a while ago: it may be another by now. */
export function refuseOtherTree(runId: string, offer: MergeOffer | undefined, tree: string): void {
  if (offer && tree.length >= 7 && offer.tree.startsWith(tree)) return;
  throw new ClewError(
    "not_possible_now",
    offer ? `run ${runId} now offers the tree ${offer.tree}, not ${tree}` : `run ${runId} offers no merge`,
    `clew run diff ${runId} shows what would be merged`,
  );
}

interface Parts {
  store: RunStore;
  diffs: RunDiffs;
}

/** What a run would merge, or has merged; before it offers that, what is in its worktree. */
export async function diffOf(runId: string, paths: string[], { store, diffs }: Parts): Promise<RunDiff> {
  const { status } = store.state(runId);
  const { offered, landed } = offersOf(store, runId);
  const merges =
    status === "pending_merge" && offered ? [offered] : status === "completed" && landed.length > 0 ? landed : [];
  if (merges.length > 0) {
    const pieces: Uint8Array[] = [];
    for (const offer of merges) pieces.push(await diffs.offered(offer, paths));
    return answer(runId, merges, joined(pieces), []);
  }
  const pinned = readPinnedRun(store, runId);
  if (!pinned?.worktree) {
    throw new ClewError("not_possible_now", `run ${runId} has no worktree of its own`, "git diff shows what it did");
  }
  const { diff, untracked } = await diffs.underWay(runId, pinned, paths);
  return answer(runId, [], diff, untracked);
}

function answer(run_id: string, merges: MergeOffer[], bytes: Uint8Array, untracked: string[]): RunDiff {
  return { run_id, merge: merges.at(-1) ?? null, merges, ...asText(bytes), untracked };
}

/** Files may hold any bytes, and a diff holds what they do. */
function asText(bytes: Uint8Array): Pick<RunDiff, "diff" | "diff_base64"> {
  const decode = (fatal: boolean): string => new TextDecoder("utf-8", { ignoreBOM: true, fatal }).decode(bytes);
  try {
    return { diff: decode(true) };
  } catch {
    return { diff: decode(false), diff_base64: Buffer.from(bytes).toString("base64") };
  }
}

function joined(pieces: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
