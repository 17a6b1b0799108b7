import type { AgentsApi, TalkNews } from "../../contract/api/agent.ts";
import { ClewError } from "../../contract/errors.ts";
import { streamOf } from "../run/stream.ts";
import { reopenSession, startSession } from "../session/lifecycle.ts";
import { findChat } from "./find-chat.ts";
import type { AgentsApiParts } from "./parts.ts";
import { startOfResume } from "./resume-session.ts";
import { refuseEngine, talkOptions } from "./talk-options.ts";
import { talk, type TalkStart } from "./talk.ts";

type TalkRequest = Parameters<AgentsApi["talk"]>[0];

export function agentsApi(parts: AgentsApiParts): AgentsApi {
  const { chats } = parts;

  async function begin(request: TalkRequest, tell: (news: TalkNews) => void, signal: AbortSignal): Promise<void> {
    const { engine, prompt, one_shot: oneShot, resume: resumed, agent } = request;
    const options = talkOptions(request, agent === undefined ? undefined : await parts.agentNamed(agent));
    const log = await parts.log();
    const found =
      resumed === undefined
        ? undefined
        : await findChat({ ...parts, ...parts.place, sessions: log.sessions }, engine, resumed);
    const title = titleOf(log.redact(prompt));
    const id = found?.sessionId ?? (await startSession(log.sessions, { title, kind: "chat", model: options.model }));
    if (found) await reopenSession(log.sessions, id);
    const start: TalkStart = { id, engine, prompt, message: prompt, resume: found, options, agent, oneShot };
    return talk(parts, log, start, tell, signal);
  }

  return {
    async talk(request, options) {
      refuseEngine(parts.engines, parts.settings, request.engine);
      if (request.prompt.trim() === "")
        throw new ClewError("invalid_input", "the prompt is empty", "clew ai claude PROMPT");
      return streamOf<TalkNews, void>((tell, signal) => begin(request, tell, signal), options?.signal);
    },
    async resume(request, options) {
      const start = await startOfResume(parts, request);
      return streamOf<TalkNews, void>(
        async (tell, signal) => talk(parts, await parts.log(), await start(), tell, signal),
        options?.signal,
      );
    },
    async send({ agent, text }) {
      chats.get(agent).send(text);
      return {};
    },
    async answer({ agent, permission, option }) {
      await chats.get(agent).answer(permission, option);
      return {};
    },
    async stop({ agent, pause }) {
      chats.find(agent)?.stop(pause);
      return {};
    },
  };
}

/** The first words of a prompt. */
function titleOf(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0]!.trim();
  return Array.from(line).slice(0, 80).join("") || "Talk";
}
