import { worktreeLook } from "../adapters/git/steps/worktree-look.ts";
import { evidenceFiles } from "../adapters/hooks/evidence-files.ts";
import { sightFiles } from "../adapters/hooks/sight-files.ts";
import { markOf } from "../adapters/shell/process-marks.ts";
import { newId, systemClock } from "../adapters/system/system.ts";
import { callsInTranscripts } from "../adapters/transcripts/call-in-transcript.ts";
import { engineTranscripts } from "../adapters/transcripts/transcripts.ts";
import { evidenceApi } from "../app/evidence/api.ts";
import { missingNow } from "../app/evidence/missing-now.ts";
import type { WorktreeLook } from "../app/evidence/ports.ts";
import { connectedWitness } from "../app/evidence/see-connected.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import type { MissingEvidenceOf } from "../app/rehydrate/ports.ts";
import type { RunsApiParts } from "../app/run/api.ts";
import { findRun } from "../app/run/find.ts";
import type { RunStore } from "../app/run/ports.ts";
import { isRunOver } from "../app/run/read.ts";
import type { StepGateParts } from "../app/run/step-gates.ts";
import type { Api } from "../contract/api/api.ts";
import type { PinnedRun } from "../contract/pinned-run.ts";
import { redactValue } from "../redact/redact-value.ts";
import type { Ground } from "./wire-ground.ts";

/** Puts together what tells of the calls that were observed in runs. */
export function openEvidence({ layout }: Ground, runs: () => Promise<Pick<RunsApiParts, "reading">>): Api["evidence"] {
  return evidenceApi({
    files: evidenceFiles(layout.home),
    findRun: async (name) => findRun((await runs()).reading, name),
  });
}

/** What is known of agents that no process of Clew's listens to. */
export function openConnectedEvidence({ layout, repository, env }: Ground): StepGateParts["connected"] {
  const transcripts = engineTranscripts(repository, env, () => systemClock.now());
  return { sights: sightFiles(layout.home), toldBy: callsInTranscripts(transcripts, env) };
}

/** What the agent at work in a run still has to do. */
export function openMissingEvidence(ground: Ground, store: Pick<RunStore, "lines">): MissingEvidenceOf {
  const parts = { store, files: evidenceFiles(ground.layout.home), ...openConnectedEvidence(ground) };
  const lookAt = (runId: string, pinned: PinnedRun): WorktreeLook => lookFrom(ground, runId, pinned);
  return (runId) => missingNow({ ...parts, lookAt }, runId);
}

/** Looks out for calls that steps of connected agents require. */
export async function openConnectedWitness(ground: Ground, store: RunStore): Promise<HookAnswerer> {
  const { redact } = await ground.redactor();
  return connectedWitness({
    files: sightFiles(ground.layout.home),
    isOver: (runId) => isRunOver(store, runId),
    lookAt: ({ run, pinned }) => lookFrom(ground, run, pinned),
    redact: (value) => redactValue(value, redact),
    now: () => new Date(systemClock.now()).toISOString(),
  });
}

/** From outside a step: no log hears of the git processes, which end by themselves. */
function lookFrom(
  { repository, env }: Ground,
  runId: string,
  pinned: Pick<PinnedRun, "folder" | "worktree" | "base" | "target">,
): WorktreeLook {
  const parts = { repository, env, newMark: () => markOf({ runId, path: "evidence" }, newId()) };
  return worktreeLook(parts, {
    runId,
    pinned,
    path: "evidence",
    signal: new AbortController().signal,
    log: () => undefined,
  });
}
