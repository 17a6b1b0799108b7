import type { Redacted } from "../../contract/redacted.ts";
import { landsWork, type Grimoire } from "../../contract/grimoire.ts";
import type { PinnedRule, PinnedRun, RunSettings } from "../../contract/pinned-run.ts";
import type { WorktreeSettings } from "../../contract/settings.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { RunDefinition } from "../grimoire/grimoires.ts";
import type { RunGround, RunWorktrees } from "./ports.ts";
import type { RunRequest } from "../../contract/api/grimoire.ts";
import { refuseStart, type StartRules } from "./refusals.ts";
import { withEngine } from "./settings.ts";

/** What git and the disk had to say: throws the first reason that counts for this grimoire. */
export type Survey = (grimoire: Grimoire) => void;

/**
 * Asks git and the disk whether a run can begin. That takes a while, and so it is done before the claim, for which others wait; what
 * they say is heard when the grimoire is known. Throws nothing.
 */
export async function surveyGround(
  { bead, target }: RunRequest,
  { ground, rules }: { ground: RunGround; rules: Pick<StartRules, "branch"> },
): Promise<Survey> {
  const [place, room, name] = await Promise.allSettled([
    ground.refuseTakenPlace(bead),
    // Without a branch, the rules say so.
    Promise.resolve(target)
      .then(rules.branch)
      .then(
        ({ base }) => ground.refuseNoRoom(base),
        () => undefined,
      ),
    ground.refuseNameless(),
  ]);
  return (grimoire) => {
    for (const answer of [place, room, ...(landsWork(grimoire) ? [name] : [])]) {
      if (answer.status === "rejected") throw answer.reason;
    }
  };
}

interface Parts {
  define: (request: RunRequest) => Promise<RunDefinition>;
  /** Read anew for each run: a daemon lives longer than a setting. */
  settings: () => Promise<{ run: RunSettings; worktree: WorktreeSettings }>;
  /** What agents are held to, read anew as well. */
  policy: () => Promise<PinnedRule[]>;
  worktrees: Pick<RunWorktrees, "plan">;
  rules: StartRules;
}

/**
 * What a new run is pinned to. Throws when it cannot begin, and writes nothing. Secrets in prose are redacted here, once,
 * so that a run that is resumed sees the very same values; the rules refuse them everywhere else.
 */
export async function pinRun(
  id: string,
  request: RunRequest,
  survey: Survey,
  parts: Parts,
): Promise<Redacted<PinnedRun>> {
  const { define, worktrees, rules } = parts;
  const { target, variables, limits } = request;
  const definition = await define(request);
  const { run, worktree } = await parts.settings();
  const settings = withEngine(run, request.engine);
  const { bead, grimoire, agents } = definition;
  await refuseStart({ ...request, grimoireName: request.grimoire, bead, grimoire, agents, settings }, rules);
  survey(grimoire);
  const policy = await parts.policy();
  const plan = worktrees.plan(id, request.bead);
  return {
    ...redactValue({ ...definition, variables, policy }, rules.redact),
    settings: { ...settings, ...(limits && { limits }) },
    ...rules.branch(target),
    folder: plan.folder,
    worktree: { ...plan.worktree, ...worktree },
  };
}
