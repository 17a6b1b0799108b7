import type { WorkRequest, WorkSimulation } from "../../contract/api/work.ts";
import type { WorkParts } from "./parts.ts";
import { planWork, type ResumedSession } from "./plan.ts";
import { fromRecordPrompt, goOnPrompt, takerOf, taskPrompt } from "./prompt.ts";
import { firstTask } from "./tasks.ts";

/** What `clew work` would do. Reads only. */
export async function simulateWork(parts: WorkParts, request: WorkRequest): Promise<WorkSimulation> {
  const { bead, session, agent } = await planWork(parts, request);
  const task = firstTask(parts, bead, session?.id) ?? null;
  const engineSession = session?.engineSession?.session ?? null;
  const prompt = task ? taskPrompt(parts, task, session?.id ?? "NEW-SESSION") : "";
  const whole = session === undefined || prompt === "" ? prompt : await promptOf(parts, session, agent.engine, prompt);
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

/** What the agent would be sent that goes on with a session; nothing is noted of it. */
async function promptOf(parts: WorkParts, session: ResumedSession, engine: string, prompt: string): Promise<string> {
  const { show } = await parts.agents.rehydrations().then((all) => ({ show: all.show.bind(all) }));
  const rehydrations: WorkParts["agents"]["rehydrations"] = async () => ({
    show,
    give: (recipient) => show(recipient.session),
    receive: async () => false,
  });
  const reading = { ...parts, agents: { ...parts.agents, rehydrations } };
  const taker = takerOf(session, engine, session.engineSession?.session);
  const isAnew = session.engineSession === undefined;
  return (await (isAnew ? fromRecordPrompt(reading, taker, prompt) : goOnPrompt(reading, taker, prompt))).prompt;
}
