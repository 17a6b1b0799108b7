import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import { connectedEngine } from "../../contract/connected.ts";
import type { AgentFacts } from "../../contract/rehydration.ts";
import type { RunSnapshot } from "../../contract/run-snapshot.ts";
import { addressText, type VisibleStatus } from "../../contract/run.ts";
import type { SessionDocument } from "../../contract/session.ts";
import { recordFacts } from "../../session/rehydrate/record-facts.ts";
import type { ContinueTokens } from "../run/connected/ports.ts";
import type { RunStore } from "../run/ports.ts";
import { statusNow } from "../run/read.ts";
import { showSession, withBreadcrumbs, type ShowParts } from "../session/show.ts";
import type { MissingEvidenceOf } from "./ports.ts";
import { stepAtHand, type StepAtHand } from "./step-at-hand.ts";

/** What is known of runs. */
export interface RunFactsParts {
  store: RunStore;
  tokens: Pick<ContinueTokens, "issue">;
  missingEvidence: MissingEvidenceOf;
}

export interface FactsParts {
  sessions: ShowParts;
  runs: () => Promise<RunFactsParts>;
}

/** Where the agent of a session stands. Changes nothing. Throws a ClewError when the session or its run cannot be read. */
export async function factsOf({ sessions, runs }: FactsParts, sessionId: string): Promise<AgentFacts> {
  const document = await withBreadcrumbs(sessions, sessionId, await showSession(sessions, sessionId));
  const { kind, run } = document.frontmatter;
  if (kind !== "run" || typeof run !== "string") return sessionFacts(document);
  const parts = await runs();
  return parts.store.exists(run) ? runFacts(parts, run, document) : sessionFacts(document);
}

async function runFacts(
  { store, tokens, missingEvidence }: RunFactsParts,
  runId: string,
  document: SessionDocument,
): Promise<AgentFacts> {
  const state = store.state(runId);
  const status = statusNow(store, state);
  const step = stepAtHand(store, runId);
  const isAtWork = step?.isOpen === true && (status === "running" || status === "interrupted");
  const { session_id: session, title, status: sessionStatus } = document.frontmatter;
  const isConnected = isAtWork && step.engine === connectedEngine;
  const { path, attempt } = step ?? {};
  const token = isConnected ? tokens.issue({ session, run: runId, path: step.path, attempt: step.attempt }) : undefined;
  return {
    session_id: session,
    title,
    kind: "run",
    status: sessionStatus,
    run: {
      id: runId,
      grimoire: state.grimoire,
      status,
      step: path === undefined ? currentStep(state) : addressText({ path, attempt: attempt! }),
      engine: step?.engine ?? null,
    },
    bead: { id: state.bead_id, title: state.bead_title },
    folder: state.worktree,
    ...(step && { prompt: step.prompt }),
    ...recordFacts(document, { since: step?.since, phase: step && ((phase) => isPhaseOf(phase, step)) }),
    missing_evidence: isAtWork ? await missingEvidence(runId) : [],
    ...(token !== undefined && { token }),
    to_do: toDoOf(state, status, { isAtWork, isConnected }),
  };
}

function currentStep({ current }: RunSnapshot): string | null {
  return current === null ? null : addressText(current);
}

/** Phases of a run's session are called as their steps. */
function isPhaseOf(title: string, { path }: StepAtHand): boolean {
  const name = title.replace(/ \(attempt \d+\)$/, "");
  return name === path || name === `step ${path}`;
}

function toDoOf(
  { id, waiting, worktree }: RunSnapshot,
  status: VisibleStatus,
  { isAtWork, isConnected }: { isAtWork: boolean; isConnected: boolean },
): string {
  if (isConnected)
    return (
      `See what is done already in ${worktree}, and go on with what you were asked. Then call workflow_continue with the ` +
      `continue token above and your result: {"success", "summary", "outputs"}. workflow_checkpoint keeps a note before that.`
    );
  if (isAtWork)
    return "See what is done already in the folder, and go on with what you were asked. Hand in your result as it says.";
  if (waiting) return `The run waits for a person (${waiting.reason}): clew run show ${id} tells what is needed.`;
  if (status === "completed" || status === "cancelled") return `The run is ${status}. There is nothing more to do.`;
  return `Clew itself works on the run now: clew run show ${id} tells how it stands.`;
}

function sessionFacts(document: SessionDocument): AgentFacts {
  const { session_id, title, kind, status, bead } = document.frontmatter;
  const prompt = lastPrompt(document.breadcrumbs ?? []);
  return {
    session_id,
    title,
    kind,
    status,
    ...(typeof bead === "string" && bead !== "" && { bead: { id: bead, title } }),
    ...(prompt !== undefined && { prompt }),
    ...recordFacts(document, {}),
    missing_evidence: [],
    to_do: "See what is done already, and go on with the work where it stopped.",
  };
}

/** What the session's own agent was told last. */
function lastPrompt(breadcrumbs: readonly Breadcrumb[]): string | undefined {
  return breadcrumbs.findLast(({ depth, prompt }) => depth === 0 && prompt !== undefined)?.prompt;
}
