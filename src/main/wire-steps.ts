import { withLandingLock, withWorktreesLock } from "../adapters/git/locks-of-git.ts";
import { mergeHandler, offerHandler } from "../adapters/git/steps/merge-handlers.ts";
import { gitTreeOf } from "../adapters/git/steps/tree-of.ts";
import { afterVerification, verifyHandler } from "../adapters/git/steps/verify-handler.ts";
import { worktreeLook } from "../adapters/git/steps/worktree-look.ts";
import { worktreeHandler } from "../adapters/git/steps/worktree-handler.ts";
import { evidenceFiles } from "../adapters/hooks/evidence-files.ts";
import { markOf, type NewMark } from "../adapters/shell/process-marks.ts";
import { scriptHandler } from "../adapters/shell/script-handler.ts";
import { tempFolder } from "../adapters/shell/temp-folder.ts";
import { newId, systemClock, systemIds } from "../adapters/system/system.ts";
import { after } from "../adapters/system/timer.ts";
import type { HandedInResults } from "../app/run/connected/ports.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import type { StepRehydration } from "../app/rehydrate/step-rehydration.ts";
import { agentStep } from "../app/run/agent-step.ts";
import { redactValue } from "../redact/redact-value.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { Handlers } from "../run/handlers.ts";
import type { Program } from "./program.ts";
import { openAgents } from "./wire-agents.ts";
import { openConnectedEvidence } from "./wire-evidence.ts";
import type { Ground } from "./wire-ground.ts";

interface StepWiring {
  redactor: Redactor;
  program: Program;
  isRunOver: (runId: string) => boolean;
  sessionOf: (runId: string) => string | undefined;
  handedIn: HandedInResults;
  rehydration: StepRehydration;
  rehydrate: HookAnswerer;
}

/** Puts together what does the work of steps: one handler for each kind. */
export function openHandlers(ground: Ground, wiring: StepWiring): Required<Handlers> {
  const { layout, repository, env } = ground;
  const { redactor, sessionOf, rehydration } = wiring;
  const newMark: NewMark = (work) => markOf(work, newId());
  const runGit = { redactor, env, newMark, repository };
  const agents = openAgents(ground, redactor, wiring.program, wiring);
  const runScript = scriptHandler({
    redactor,
    env,
    tempFolder: tempFolder(),
    newMark,
    treeOf: (work, context) => gitTreeOf(runGit, { ...context, path: work.path }),
  });
  const runAgent = agentStep({
    agents,
    newMark,
    ids: systemIds,
    monotonicMs: () => performance.now(),
    later: after,
    sessionOf,
    gates: {
      evidence: evidenceFiles(layout.home),
      lookAt: (work, context) => worktreeLook(runGit, { ...context, path: work.path }),
      runScript,
      connected: openConnectedEvidence(ground),
      redact: (value) => redactValue(value, redactor.redact),
      now: () => new Date(systemClock.now()).toISOString(),
      later: after,
    },
    rehydration,
  });
  return {
    worktree: worktreeHandler({ ...runGit, withLock: withWorktreesLock(layout), isOver: wiring.isRunOver }),
    offer: offerHandler(runGit),
    merge: mergeHandler({ ...runGit, withLock: withLandingLock(layout) }),
    verify: verifyHandler({ ...runGit, runScript }),
    script: afterVerification(runGit, runScript),
    agent: afterVerification(runGit, runAgent),
  };
}
