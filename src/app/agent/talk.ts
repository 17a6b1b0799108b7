import type { TalkNews } from "../../contract/api/agent.ts";
import type { LiveAgent } from "../../contract/live-agent.ts";
import type { ResumableSession } from "../../session/engine-sessions.ts";
import { endSession, pauseSession } from "../session/lifecycle.ts";
import type { LogParts } from "../session/log.ts";
import type { AgentsApiParts } from "./parts.ts";
import { ChatBudget } from "./chat-budget.ts";
import type { ChatWatch } from "./chat.ts";
import { ChatRecord } from "./chat-record.ts";
import { talkLabel } from "./mend-talk.ts";
import { openChat } from "./open-chat.ts";
import { talkStateOf } from "./talk-state.ts";
import { taskWith, type TalkOptions } from "./talk-options.ts";

export interface TalkStart {
  /** The session that records it, which is open. */
  id: string;
  engine: string;
  /** What the agent is sent. */
  prompt: string;
  /** Whether that tells the agent where it stands. */
  hasRehydration?: boolean;
  /** What a person said, as it is recorded; null when the agent just goes on. */
  message: string | null;
  /** The engine's own session that goes on. */
  resume: ResumableSession | undefined;
  options: TalkOptions;
  /** The agent whose file counts. */
  agent: string | undefined;
  oneShot: boolean;
  /** The command that goes on with it; `clew ai` when absent. */
  goOnCommand?: string;
}

/** Talks with one agent until it has ended, and closes its session. */
export async function talk(
  parts: AgentsApiParts,
  log: LogParts,
  start: TalkStart,
  tell: (news: TalkNews) => void,
  signal: AbortSignal,
): Promise<void> {
  const { id, engine, prompt, message, resume, options, oneShot, goOnCommand } = start;
  const { model, tools, limits } = options;
  const record = new ChatRecord(log, id, engine);
  const folder = resume?.folder ?? parts.place.folder;
  const budget =
    limits &&
    new ChatBudget({
      limits,
      clock: parts.time.newClock(),
      oneShot,
      engine,
      model,
      isCostKnown: (each) => parts.agents.isCostKnown(engine, each),
      warn: (text) => tell({ type: "warning", message: text }),
    });
  let isStarted = false;
  const watch: ChatWatch = {
    onStarted(process, agent) {
      isStarted = true;
      const { transcript } = agent;
      if (transcript === undefined) return record.begin(message);
      // On disk before the agent does anything: the next process can end it, and read what it did.
      parts.states.write(id, stateOf(log, start, { folder, transcript, process }));
      record.begin(message, { at: new Date(log.sessions.clock.now()).toISOString(), transcript });
    },
    onEvent() {},
    onGone() {
      if (!isStarted) record.begin(message);
    },
  };
  const { run } = openChat(parts, {
    engine,
    tools,
    budget,
    record,
    folder,
    hasRehydration: start.hasRehydration,
    ...(start.agent !== undefined && { resumeOptions: `--agent ${start.agent}` }),
    ...(goOnCommand !== undefined && { goOnCommand }),
    tell,
    watch,
  });
  record.awaitStart();
  const rules = await parts.rules();
  const news = await run((listeners) =>
    parts.agents.run({
      engine,
      task: taskWith(options, { prompt, until: oneShot ? "answer" : "talk", rounds: budget?.roundsLeft }),
      ...(resume && { resume: resume.session }),
      place: { folder, env: { CLEW_SESSION: id }, mark: parts.place.newMark(id) },
      settings: parts.settings,
      rules,
      ...(budget?.needsCost && { needsCost: true }),
      signal,
      transcript: { owner: id, label: talkLabel },
      listeners,
    }),
  );
  await close(log, news);
  parts.states.remove(id);
  tell(news);
}

function stateOf(
  { sessions, redact }: LogParts,
  { id, engine, options: { level, model }, resume }: TalkStart,
  live: Pick<LiveAgent, "folder" | "transcript" | "process">,
): ReturnType<typeof talkStateOf> {
  const asked = { ...(model !== undefined && { model }), ...(resume && { resume: resume.session }) };
  return talkStateOf(id, { engine, level, ...asked, ...live, subagent_mode: sessions.settings.subagent_mode }, redact);
}

async function close({ sessions }: LogParts, news: TalkNews): Promise<void> {
  if (news.type !== "ended") return;
  if (news.status === "paused") await pauseSession(sessions, news.session_id);
  else await endSession(sessions, news.session_id, news.status, news.error);
}
