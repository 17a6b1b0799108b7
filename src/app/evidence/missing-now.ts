import type { MissingEvidence } from "../../contract/evidence-values.ts";
import type { CallGate } from "../../contract/gate.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { StepAddress } from "../../contract/run.ts";
import type { AgentInput } from "../../contract/step-input.ts";
import { connectedEngine } from "../../contract/connected.ts";
import type { RunStore } from "../run/ports.ts";
import { readPinnedRun } from "../run/read.ts";
import { checkCallGate } from "./check-gates.ts";
import type { CountedCall } from "./observed-calls.ts";
import { connectedCalls } from "./connected-calls.ts";
import type { EvidenceFiles, SightFiles, TranscriptLook, WorktreeLook } from "./ports.ts";

interface Parts {
  store: Pick<RunStore, "lines">;
  files: Pick<EvidenceFiles, "calls">;
  sights: Pick<SightFiles, "sights">;
  toldBy: TranscriptLook;
  lookAt: (run: string, pinned: PinnedRun) => WorktreeLook;
}

type OpenStep = StepAddress & { input: AgentInput };

/**
 * What the agent at work in a run still has to do before its result counts, as far as calls can tell; what Clew runs itself is tried when
 * the agent is done. Nothing where no agent is at work.
 */
export async function missingNow(parts: Parts, run: string): Promise<MissingEvidence[]> {
  const step = openStep(parts.store, run);
  const gates = (step?.input.requires ?? []).filter((gate): gate is CallGate => gate.kind === "call");
  const pinned = gates.length === 0 ? undefined : readPinnedRun(parts.store, run);
  if (!step || !pinned) return [];
  const worktree = parts.lookAt(run, pinned);
  const around = { worktree, tree: await worktree.tree(), base: pinned.base };
  const calls = callsOf(parts, run, step);
  const checked = await Promise.all(gates.map((gate) => checkCallGate(gate, calls, around)));
  return checked.flatMap((each) => ("kind" in each ? [each] : []));
}

function callsOf({ files, sights, toldBy }: Parts, run: string, { path, attempt, input }: OpenStep): CountedCall[] {
  const isOfStep = (each: { step: string; attempt: number }): boolean => each.step === path && each.attempt === attempt;
  if (input.engine !== connectedEngine) return files.calls(run).filter(isOfStep);
  const { engine } = input;
  return connectedCalls(sights.sights(run).filter(isOfStep), toldBy).map((each) => ({ ...each, id: "", engine }));
}

function openStep(store: Pick<RunStore, "lines">, run: string): OpenStep | undefined {
  let step: OpenStep | undefined;
  for (const { line } of store.lines(run)) step = stepAfter(line, step);
  return step;
}

function stepAfter(line: JournalLine, before: OpenStep | undefined): OpenStep | undefined {
  if (line.type === "workflow.step.started") {
    const { path, attempt, input } = line;
    return input?.kind === "agent" ? { path, attempt, input } : before;
  }
  const isOver =
    line.type === "workflow.step.completed" && line.path === before?.path && line.attempt === before.attempt;
  return isOver ? undefined : before;
}
