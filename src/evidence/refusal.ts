import type { MissingEvidence } from "../contract/evidence-values.ts";
import type { CallGate } from "../contract/gate.ts";
import { gateWords } from "../contract/gate.ts";

/** A call that comes near to what a gate asks for, and why it does not count. */
export interface NearMiss {
  /** The command, or the tool. */
  what: string;
  why: string;
  /** It counted until files changed. */
  isStale?: boolean;
  /** What to do, where running the command alone does not help. */
  fix?: string;
}

const maxNearMisses = 3;

/** What a gate still asks for, precisely: what it wants, what was seen instead, and what to do. */
export function refusalOf(gate: CallGate, counted: number, misses: readonly NearMiss[]): MissingEvidence {
  const { match, tool, count } = gate;
  const call = match ?? tool;
  const seen = misses.slice(-maxNearMisses).map(({ what, why }) => `${what}: ${why}`);
  const so = count === 1 ? "" : ` (${counted} of ${count} so far)`;
  const wanted = `this step requires that ${gateWords(gate, call)}${so}`;
  const message = [wanted, seen.length === 0 ? "no such call was seen in this attempt" : seen.join("; ")].join(": ");
  const last = misses.at(-1);
  if (last?.isStale) return { kind: "evidence_stale", message, fix: `run it again now, alone: ${call}` };
  if (last?.fix !== undefined) return { kind: "evidence_missing", message, fix: last.fix };
  const fix =
    match === undefined ? `use the tool ${tool}` : `run it in the worktree's root, as one command of its own: ${call}`;
  return { kind: "evidence_missing", message, fix };
}
