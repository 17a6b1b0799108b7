import type { WorkRequest, WorkSimulation } from "../../contract/api/work.ts";
import type { WorkParts } from "./parts.ts";
import { planWork } from "./plan.ts";
import { fromRecordPrompt, goOnPrompt, taskPrompt } from "./prompt.ts";
import { firstTask } from "./tasks.ts";

/** What `clew work` would do. Reads only. */
export async function simulateWork(parts: WorkParts, request: WorkRequest): Promise<WorkSimulation> {
  const { bead, session, agent } = await planWork(parts, request);
  const task = firstTask(parts, bead, session?.id) ?? null;
  const engineSession = session?.engineSession?.session ?? null;
  const prompt = task ? taskPrompt(parts, task, session?.id ?? "NEW-SESSION") : "";
  const whole =
    session === undefined || prompt === ""
      ? prompt
      : engineSession === null
        ? await fromRecordPrompt(parts, session.id, prompt)
        : goOnPrompt(prompt);
  return {
    bead: bead.id,
    task: task && { id: task.id, title: task.title },
    engine: agent.engine,
    level: agent.level,
    session: session?.id ?? null,
    engine_session: engineSession,
    prompt: whole,
    writes: task
      ? [
          session ? `entries in the session ${session.id}` : `a new session of kind work, for ${bead.id}`,
          `a claim of ${[...new Set([bead.id, task.id])].join(" and ")}, in progress while the agent works`,
          "a transcript and breadcrumbs of what the agent does",
          `with a valid result: ${task.id} closed, and what contains only closed beads then`,
        ]
      : [],
  };
}
