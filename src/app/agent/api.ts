import type { AgentsApi, TalkNews } from "../../contract/api/agent.ts";
import { ClewError } from "../../contract/errors.ts";
import type { PinnedAgent, RunSettings } from "../../contract/pinned-run.ts";
import type { AgentProcess, Agents } from "../engine/agents.ts";
import { permissionWaitMs } from "../engine/permission-wait.ts";
import { freeToolsWarning } from "../engine/free-tools.ts";
import type { EngineStarts } from "../engine/engine-starts.ts";
import { streamOf } from "../run/stream.ts";
import { endSession, pauseSession, reopenSession, startSession } from "../session/lifecycle.ts";
import type { LogParts } from "../session/log.ts";
import { ChatBudget, type WorkClock } from "./chat-budget.ts";
import { Chat } from "./chat.ts";
import type { PermissionWait } from "./chat-permissions.ts";
import { ChatRecord } from "./chat-record.ts";
import { findChat } from "./find-chat.ts";
import type { LiveChats } from "./live-chats.ts";
import type { QuestionDesk } from "./question-desk.ts";
import { refuseEngine, talkOptions } from "./talk-options.ts";

export interface AgentsApiParts {
  agents: Agents;
  log: () => Promise<LogParts>;
  find: (name: string) => Promise<string>;
  engines: EngineStarts;
  settings: Pick<RunSettings, "script">;
  place: TalkPlace;
  time: {
    sleep: (ms: number) => Promise<void>;
    newClock: () => WorkClock;
    later: PermissionWait["later"];
    /** How long a person may take to answer a permission. */
    permissionWaitMs: number;
  };
  /** Sees to it that an agent does not outlive this process. Returns what ends that. */
  guard: (process: AgentProcess) => () => void;
  desk: QuestionDesk;
  chats: LiveChats;
  /** Throws a ClewError when there is no such agent, or its file is wrong. */
  agentNamed: (name: string) => Promise<PinnedAgent>;
}

interface TalkPlace {
  /** Where a new talk takes place. */
  folder: string;
  /** Whether a talk may be resumed in this folder: a session is anybody's text. */
  isOwnFolder: (folder: string) => boolean;
  newMark: (sessionId: string) => string;
}

type TalkRequest = Parameters<AgentsApi["talk"]>[0];

export function agentsApi(parts: AgentsApiParts): AgentsApi {
  const { chats } = parts;

  async function talk(request: TalkRequest, tell: (news: TalkNews) => void, signal: AbortSignal): Promise<void> {
    const { engine, prompt, one_shot, resume } = request;
    const agentFile = request.agent === undefined ? undefined : await parts.agentNamed(request.agent);
    const { model, level, role, tools, limits } = talkOptions(request, agentFile);
    const log = await parts.log();
    const found =
      resume === undefined
        ? undefined
        : await findChat({ ...parts, ...parts.place, sessions: log.sessions }, engine, resume);
    const id =
      found?.sessionId ??
      (await startSession(log.sessions, { title: titleOf(log.redact(prompt)), kind: "chat", model }));
    if (found) await reopenSession(log.sessions, id);
    const record = new ChatRecord(log, id, engine);
    const folder = found?.folder ?? parts.place.folder;
    let agent = "";
    const budget =
      limits &&
      new ChatBudget({
        limits,
        clock: parts.time.newClock(),
        oneShot: one_shot,
        engine,
        model,
        isCostKnown: (each) => parts.agents.isCostKnown(engine, each),
        warn: (message) => tell({ type: "warning", message }),
      });
    const chat = new Chat({
      budget,
      desk: parts.desk,
      record,
      folder,
      ...(request.agent !== undefined && { resumeOptions: `--agent ${request.agent}` }),
      sleep: parts.time.sleep,
      permissionWait: {
        ms: permissionWaitMs(parts.agents, engine, parts.time.permissionWaitMs),
        later: parts.time.later,
      },
      guard: parts.guard,
      tell(news) {
        if (news.type === "started") chats.add((agent = news.agent), chat);
        tell(news);
      },
    });
    record.addMessage(prompt);
    if (tools && !parts.agents.traitsOf(engine)?.abilities.tools)
      tell({ type: "warning", message: freeToolsWarning(engine) });
    const news = await chat.run(engine, (listeners) =>
      parts.agents.run({
        engine,
        task: {
          prompt,
          ...(model !== undefined && { model }),
          ...(role !== undefined && { role }),
          level,
          ...(tools && { tools }),
          until: one_shot ? "answer" : "talk",
        },
        ...(found && { resume: found.session }),
        place: { folder, env: { CLEW_SESSION: id }, mark: parts.place.newMark(id) },
        settings: parts.settings,
        ...(budget?.needsCost && { needsCost: true }),
        signal,
        transcript: { owner: id, label: "chat" },
        listeners,
      }),
    );
    chats.delete(agent);
    await close(log, news);
    tell(news);
  }

  return {
    async talk(request, options) {
      refuseEngine(parts.engines, parts.settings, request.engine);
      if (request.prompt.trim() === "")
        throw new ClewError("invalid_input", "the prompt is empty", "clew ai claude PROMPT");
      return streamOf<TalkNews, void>((tell, signal) => talk(request, tell, signal), options?.signal);
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

async function close({ sessions }: LogParts, news: TalkNews): Promise<void> {
  if (news.type !== "ended") return;
  if (news.status === "paused") await pauseSession(sessions, news.session_id);
  else await endSession(sessions, news.session_id, news.status, news.error);
}

/** The first words of a prompt. */
function titleOf(prompt: string): string {
  const line = prompt.trim().split("\n", 1)[0]!.trim();
  return Array.from(line).slice(0, 80).join("") || "Talk";
}
