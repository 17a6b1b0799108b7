import type { TalkNews } from "../../contract/api/agent.ts";
import type { AgentHandle, AgentRequest } from "../engine/agents.ts";
import { freeToolsWarning } from "../engine/free-tools-warning.ts";
import { permissionWaitMs } from "../engine/permission-wait.ts";
import { Receipts } from "../rehydrate/receipts.ts";
import { Chat, type ChatParts } from "./chat.ts";
import { DrivenHandle } from "./driven-handle.ts";
import type { AgentsApiParts } from "./parts.ts";

type Parts = Pick<AgentsApiParts, "agents" | "chats" | "desk" | "time" | "guard" | "rehydrations" | "handles">;

interface ChatStart extends Omit<ChatParts, "desk" | "sleep" | "permissionWait" | "guard" | "receipts"> {
  engine: string;
  /** Whether its prompt tells the agent where it stands. */
  hasRehydration?: boolean | undefined;
  /** The only tools that its agent may use. */
  tools: readonly string[] | undefined;
}

export interface OpenChat {
  chat: Chat;
  /** As `Chat.run`; others find the chat while its agent lives. */
  run: (start: (on: AgentRequest["listeners"]) => AgentHandle) => Promise<TalkNews>;
}

/** A chat with one agent, put together as every talk and work session needs it. Warns when the engine cannot keep to the tools. */
export function openChat(parts: Parts, { engine, tools, tell, hasRehydration = false, ...start }: ChatStart): OpenChat {
  const { agents, chats, desk, time, guard, rehydrations, handles } = parts;
  const { record } = start;
  let agent = "";
  const chat: Chat = new Chat({
    ...start,
    desk,
    sleep: time.sleep,
    permissionWait: { ms: permissionWaitMs(agents, engine, time.permissionWaitMs), later: time.later },
    guard,
    receipts: new Receipts(
      hasRehydration,
      async (by) => void (await (await rehydrations()).receive(record.id, { by })),
    ),
    tell(news) {
      if (news.type === "started") {
        chats.add((agent = news.agent), chat);
        handle.begin(agent);
      }
      tell(news);
    },
  });
  const handle = new DrivenHandle({ ...handles, warn: (message) => tell({ type: "warning", message }) }, chat, {
    session: record.id,
    engine,
    takes_messages: (agents.traitsOf(engine)?.abilities.send ?? false) !== false,
  });
  if (tools && !agents.traitsOf(engine)?.abilities.tools) tell({ type: "warning", message: freeToolsWarning(engine) });
  return {
    chat,
    run: (begin) =>
      chat.run(engine, begin).finally(() => {
        chats.delete(agent);
        handle.end();
      }),
  };
}
