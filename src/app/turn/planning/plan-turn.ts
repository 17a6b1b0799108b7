import type { PlanNews } from "../../../contract/api/turn.ts";
import { fromRedacted, type Redact, type Redacted } from "../../../contract/redacted.ts";
import { addUsage, type Usage } from "../../../contract/run.ts";
import { redactValue } from "../../../redact/redact-value.ts";
import { estimateTokens } from "../../../session/resume/tokens.ts";
import { repairLog } from "../../../turn/log/repair-log.ts";
import { refuseEndedSession } from "../../session/lifecycle.ts";
import type { PlanningParts, TurnParts } from "../parts.ts";
import type { TurnFile } from "../ports.ts";
import { addEngineSession, projectTurns } from "../session/turn-record.ts";
import { askAgent } from "./ask-agent.ts";
import { draftOf, draftOfRepair, maxRepairs, type Draft, type Planned } from "./draft.ts";
import { checkPlan, type CheckedPlan } from "./plan-summary.ts";
import type { PlanRequest } from "./request.ts";

type PlannedNews = Extract<PlanNews, { type: "planned" }>;

/** Plans the next turn, or repairs the last one, and tells how that goes on. Throws a ClewError, and leaves nothing then. Under the session's lock. */
export async function planTurn(
  parts: TurnParts,
  session: string,
  request: PlanRequest,
  tell: (news: PlanNews) => void,
  signal: AbortSignal,
): Promise<PlannedNews> {
  await refuseEndedSession(parts.sessions, session);
  const planning = await parts.planning();
  const redact = await parts.sessions.redact();
  const draft =
    (await draftOfRepair(parts, planning, session, request, redact)) ??
    (await draftOf(parts, planning, session, request, redact));
  for (const message of draft.warnings) tell({ type: "warning", message });
  const written = await writePlan(parts, planning, session, draft, {
    isRepaired: request.repair === true,
    redact,
    tell,
    signal,
  });
  signal.throwIfAborted();
  const { place, agent, engine } = draft;
  parts.store.commit(session, place.turn, written.files, written.line);
  await projectTurns(parts, session);
  const { model, tokens, cost_usd, repairs, beside_context } = written.line;
  return {
    type: "planned",
    session_id: session,
    turn: place.turn,
    path: parts.folderOf(session, place.turn),
    agent,
    engine,
    ...(model !== undefined && { model }),
    ...written.checked,
    repairs,
    beside_context,
    ...(tokens && { usage: { ...tokens, ...(cost_usd !== undefined && { cost_usd }) } }),
  };
}

/** Asks the agent until its answer is a plan, with what is wrong with it handed back at most `maxRepairs` times, over all commands. */
async function writePlan(
  parts: TurnParts,
  planning: PlanningParts,
  session: string,
  draft: Draft,
  work: { isRepaired: boolean; redact: Redact; tell: (news: PlanNews) => void; signal: AbortSignal },
): Promise<{ files: TurnFile[]; line: Redacted<Planned>; checked: CheckedPlan }> {
  const { isRepaired, redact, tell, signal } = work;
  const { contextLog, before } = draft;
  const files = [...draft.files];
  const earlierRepairs = before?.line.repairs ?? 0;
  let usage: Usage | undefined;
  let engineSession: string | undefined;
  let model = draft.model;

  const ask = async (prompt: Redacted<string>, repair: number, tokens: number): Promise<Redacted<string>> => {
    const { place, agent, engine } = draft;
    const turn = place.turn;
    tell({ type: "asking", session_id: session, turn, agent, engine, repair, tokens });
    let recording: Promise<void> = Promise.resolve();
    const listeners = {
      onProgress: (chars: number) => tell({ type: "progress", chars }),
      // Also of one that fails later: no import takes it for work of a person's.
      onEngineSession(id: string) {
        engineSession = id;
        recording = addEngineSession(parts, session, { engine, session: id, folder: planning.folder });
        recording.catch(() => undefined);
      },
      warn: (message: string) => tell({ type: "warning", message }),
    };
    const asking = askAgent(planning, { ...draft.question, prompt }, listeners, signal);
    await Promise.allSettled([asking]);
    await recording;
    const answer = await asking;
    if (answer.usage) usage = usage ? addUsage(usage, answer.usage) : answer.usage;
    model = answer.model;
    return redact(answer.text);
  };

  const repairsAllowed = isRepaired ? maxRepairs - earlierRepairs : 0;
  let repairs = 0;
  let answer = before ? redact(before.answer) : await ask(contextLog, 0, draft.tokens);
  let checked = checkPlan(answer);
  while (!checked.plan && repairs < repairsAllowed) {
    repairs++;
    const { problems } = checked;
    const again = fromRedacted(redactValue({ contextLog, answer, problems }, redact), (each) =>
      repairLog(each.contextLog, each.answer, each.problems),
    );
    answer = await ask(again, earlierRepairs + repairs, estimateTokens(again));
    checked = checkPlan(answer);
    files.push({ name: `_repair-${earlierRepairs + repairs}.log`, content: again });
  }
  files.push({ name: "plan.md", content: answer });
  const beside = planning.agents.traitsOf(draft.engine)?.bare ?? [];
  const line = lineOf(parts, draft, { beside, repairs: earlierRepairs + repairs, usage, model, engineSession });
  return { files, line: redactValue(line, redact), checked };
}

function lineOf(
  { sessions }: TurnParts,
  { place, agent, engine, before }: Draft,
  told: {
    beside: readonly string[];
    repairs: number;
    usage: Usage | undefined;
    model: string | undefined;
    engineSession: string | undefined;
  },
): Planned {
  const { beside, usage, model, engineSession, repairs } = told;
  return {
    v: 1,
    turn: place.turn,
    at: new Date(sessions.clock.now()).toISOString(),
    type: "planned",
    after: place.after,
    agent,
    engine,
    ...(model !== undefined && { model }),
    beside_context: [...beside],
    hashes: before?.line.hashes ?? {},
    repairs,
    ...(engineSession !== undefined && { engine_session: engineSession }),
    ...(usage && { tokens: tokensOf(usage) }),
    ...(usage?.cost_usd !== undefined && { cost_usd: usage.cost_usd }),
  };
}

function tokensOf({ input_tokens, output_tokens, cached_input_tokens: cached }: Usage): NonNullable<Planned["tokens"]> {
  return { input: input_tokens, output: output_tokens, ...(cached !== undefined && { cached }) };
}
