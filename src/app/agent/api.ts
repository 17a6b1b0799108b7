import type { AgentsApi, TalkNews } from "../../contract/api/agent.ts";
import { ClewError } from "../../contract/errors.ts";
import { streamOf } from "../run/stream.ts";
import { begunBelow, refuseForeignSession } from "../session/authority.ts";
import { acquireSession } from "../session/drivers.ts";
import { reopenSession, startSession } from "../session/lifecycle.ts";
import { mendTalk } from "./mend-talk.ts";
import { findChat } from "./find-chat.ts";
import type { AgentsApiParts } from "./parts.ts";
import { startOfResume } from "./resume-session.ts";
import { refuseEngine, talkOptions } from "./talk-options.ts";
import { talk, type TalkStart } from "./talk.ts";

type TalkRequest = Parameters<AgentsApi["talk"]>[0];

export function agentsApi(parts: AgentsApiParts): AgentsApi {
  const { chats } = parts;

  /** One process at a time leads the talk of a session. */
  async function lead(session: string, work: () => Promise<void>): Promise<void> {
    const release = acquireSession(parts.drivers, "talk", session);
    try {
      // What another process that led it left when it died.
      await mendTalk({ ...parts, folder: parts.place.folder }, session);
      await work();
    } finally {
      release();
    }
  }

  const mend = (session: string): Promise<void> => lead(session, async () => undefined);

  async function begin(request: TalkRequest, tell: (news: TalkNews) => void, signal: AbortSignal): Promise<void> {
    const { engine, prompt, one_shot: oneShot, resume: resumed, agent } = request;
    const options = talkOptions(request, agent === undefined ? undefined : await parts.requireAgent(agent));
    const log = await parts.log();
    const found =
      resumed === undefined
        ? undefined
        : await findChat({ ...parts, ...parts.place, sessions: log.sessions, mend }, engine, resumed);
    const caller = await parts.caller();
    if (found) await refuseForeignSession(log.sessions, caller, found.sessionId, "resumed");
    const title = titleOf(log.redact(prompt));
    const { begun_below } = begunBelow(caller);
    const started = { title, kind: "chat", model: options.model, begunBelow: begun_below } as const;
    const id = found?.sessionId ?? (await startSession(log.sessions, started));
    return lead(id, async () => {
      if (found) await reopenSession(log.sessions, id);
      const start: TalkStart = { id, engine, prompt, message: prompt, resume: found, options, agent, oneShot };
      return talk(parts, log, start, tell, signal);
    });
  }

  return {
    async talk(request, options) {
      refuseEngine(parts.engines, parts.settings, request.engine);
      if (request.prompt.trim() === "")
        throw new ClewError("invalid_input", "the prompt is empty", "clew ai claude PROMPT");
      return streamOf<TalkNews, void>((tell, signal) => begin(request, tell, signal), options?.signal);
    },
    async resume(request, options) {
      const { id, start } = await startOfResume(parts, request);
      return streamOf<TalkNews, void>(
        (tell, signal) => lead(id, async () => talk(parts, await parts.log(), await start(), tell, signal)),
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
