import { agentHandleFiles } from "../adapters/files/agent-handle-files.ts";
import { questionFiles } from "../adapters/files/question-files.ts";
import { isRunning } from "../adapters/system/is-running.ts";
import { paths } from "../adapters/layout.ts";
import { bootName, newId, sleep } from "../adapters/system/system.ts";
import type { AgentHandles } from "../app/agent/agent-handles.ts";
import type { QuestionDesk } from "../app/agent/question-desk.ts";
import { sessionAgentsApi, type SteerParts } from "../app/agent/steer-session-agent.ts";
import { redactValue } from "../redact/redact-value.ts";
import type { Ground } from "./wire-ground.ts";

/** Puts together where the agents of talks wait for answers. */
export function openQuestions({ disk, layout }: Ground): QuestionDesk {
  return questionFiles({ disk, folder: paths.questions(layout), self: thisProcess(), isRunning });
}

/** Puts together where the agents of talks and work sessions are seen and steered from other processes. */
export function openHandles({ disk, layout }: Ground): AgentHandles {
  return agentHandleFiles({ disk, folder: paths.handles(layout), self: thisProcess(), isRunning });
}

function thisProcess(): { pid: number; boot: string } {
  return { pid: process.pid, boot: bootName() };
}

/** Puts together what a person does with those agents. */
export function openSessionAgents(
  ground: Ground,
  wiring: Pick<SteerParts, "sessions" | "find" | "caller">,
): ReturnType<typeof sessionAgentsApi> {
  return sessionAgentsApi({
    ...wiring,
    handles: openHandles(ground),
    redact: async () => {
      const { redact } = await ground.redactor();
      return (value) => redactValue(value, redact);
    },
    newId,
    sleep,
  });
}
