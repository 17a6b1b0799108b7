import type { AgentsApi } from "../../contract/api/agent.ts";
import { ClewError } from "../../contract/errors.ts";
import { refuseForeignSession } from "../session/authority.ts";
import { giveRehydration } from "../rehydrate/give-rehydration.ts";
import { reopenSession } from "../session/lifecycle.ts";
import { contextOf } from "../session/resume.ts";
import type { AgentsApiParts } from "./parts.ts";
import { lastEngineSession, lastEngine } from "./find-chat.ts";
import { refuseEngine, talkOptions } from "./talk-options.ts";
import type { TalkStart } from "./talk.ts";

/** What an agent is told that goes on without a person's word. */
const goOn = "Go on with this work where it stopped.";

/**
 * How a session goes on with an agent: in the engine's own session where it has one here, else from the record alone. Throws a
 * ClewError when it cannot; `start` opens the session again.
 */
export async function startOfResume(
  parts: AgentsApiParts,
  request: Parameters<AgentsApi["resume"]>[0],
): Promise<{ id: string; start: () => Promise<TalkStart> }> {
  const log = await parts.log();
  const { sessions } = log;
  const id = await parts.find(request.session);
  await refuseForeignSession(sessions, await parts.caller(), id, "resumed");
  const { frontmatter } = await sessions.records.read(id);
  if (frontmatter.kind === "run" && frontmatter.status !== "completed" && frontmatter.status !== "failed") {
    const { run = id } = frontmatter;
    throw new ClewError("not_possible_now", `${id} is the session of a run`, `clew run resume ${run} goes on with it`);
  }
  const place = { ...parts, ...parts.place, sessions };
  const before = await lastEngine(place, id);
  const engine = request.engine ?? before ?? parts.defaultEngine;
  refuseEngine(parts.engines, parts.settings, engine);
  const own = parts.agents.traitsOf(engine)?.abilities.resume ? await lastEngineSession(place, id, engine) : undefined;
  const message = request.prompt ?? null;
  const start = async (): Promise<TalkStart> => {
    const context = own ? undefined : (await contextOf(sessions, id, request.budget)).text;
    const facts =
      own || before === undefined ? undefined : await rehydrationText(parts, { session: id, engine, before });
    const prompt = [facts, context, message ?? goOn].filter((each) => each !== undefined);
    await reopenSession(sessions, id);
    const options = talkOptions({ ...request, engine }, undefined);
    return {
      id,
      engine,
      prompt: prompt.map((each) => each.trimEnd()).join("\n\n---\n"),
      hasRehydration: facts !== undefined,
      message,
      resume: own,
      options,
      agent: undefined,
      oneShot: request.one_shot,
      goOnCommand: `clew session resume ${id}`,
    };
  };
  return { id, start };
}

/** Where the agent stands, as `clew rehydrate` tells it, for one that has nothing but the record. */
async function rehydrationText(
  { rehydrations }: AgentsApiParts,
  { session, engine, before }: { session: string; engine: string; before: string },
): Promise<string | undefined> {
  const cause = before === engine ? "resumed" : "other engine";
  return giveRehydration(await rehydrations(), { session, cause, engine, engineSession: undefined });
}
