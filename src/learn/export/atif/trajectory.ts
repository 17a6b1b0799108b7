import { atifVersion, type AtifTrajectory } from "../../../contract/atif.ts";
import type { SubagentEntry } from "../../../contract/session.ts";
import type { PlacedSession } from "../../cases/placed-session.ts";
import { AtifSteps } from "./atif-steps.ts";

/** A session as a trajectory; undefined when it has no entries. `embedded` are those of its subagents, by session. */
export function trajectoryOf(
  session: PlacedSession,
  embedded: ReadonlyMap<string, AtifTrajectory>,
): AtifTrajectory | undefined {
  const { frontmatter, path } = session;
  const id = frontmatter.session_id;
  const steps = new AtifSteps();
  const subagents = new Map<string, AtifTrajectory>();
  let phase: unknown;
  session.entries.forEach((placed, at) => {
    if (placed.phase && placed.phase !== phase) {
      steps.beginPhase(placed.phase.title, placed.phase.mark?.at);
      phase = placed.phase;
    }
    const line = session.lineOf(at);
    const { entry } = placed;
    const child = entry.kind === "subagent" ? childOf(entry, `${id}:${line}`, embedded) : undefined;
    if (child) subagents.set(child.trajectory_id, child);
    steps.add(entry, line, child?.trajectory_id);
  });
  if (steps.steps.length === 0) return undefined;
  const { title, status, commit, bead, branch, cost_usd, tokens_used, model } = frontmatter;
  const about = { title, status, commit, bead, branch, path };
  return {
    schema_version: atifVersion,
    session_id: id,
    trajectory_id: id,
    agent: atifAgent(mainAgent(session), model),
    steps: steps.steps,
    final_metrics: {
      total_steps: steps.steps.length,
      ...(cost_usd !== undefined && { total_cost_usd: cost_usd }),
      ...(tokens_used !== undefined && { extra: { total_tokens: tokens_used } }),
    },
    ...(subagents.size > 0 && { subagent_trajectories: [...subagents.values()] }),
    extra: Object.fromEntries(Object.entries(about).filter(([, value]) => typeof value === "string")),
  };
}

/** An inline subagent has no session: what it left is its one step. */
function childOf(
  { session, content, agent, model }: SubagentEntry,
  inlineId: string,
  embedded: ReadonlyMap<string, AtifTrajectory>,
): AtifTrajectory | undefined {
  if (session !== undefined) return embedded.get(session);
  if (content === undefined || content === "") return undefined;
  return {
    schema_version: atifVersion,
    session_id: inlineId,
    trajectory_id: inlineId,
    agent: atifAgent(agent, model),
    steps: [{ step_id: 1, source: "agent", message: content }],
  };
}

function mainAgent({ frontmatter, phases }: PlacedSession): string {
  return phases.find(({ agent }) => agent !== undefined)?.agent ?? frontmatter.participants?.[0] ?? "unknown";
}

/** `coder@1.2`. The version is required; one that is not known is called so. */
function atifAgent(agent: string, model: string | undefined): AtifTrajectory["agent"] {
  const [name = "", version = ""] = agent.split("@");
  return { name: name || "unknown", version: version || "unknown", ...(model !== undefined && { model_name: model }) };
}

/** The sessions of subagents that a session names, each once. */
export function subagentSessions({ entries }: PlacedSession): string[] {
  const ids = entries.flatMap(({ entry }) =>
    entry.kind === "subagent" && entry.session !== undefined ? [entry.session] : [],
  );
  return [...new Set(ids)];
}
