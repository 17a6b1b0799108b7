import { ClewError } from "../../../contract/errors.ts";
import type { EngineEvent } from "../../../contract/engine.ts";
import type { Limits } from "../../../contract/limits.ts";
import type { Redacted } from "../../../contract/redacted.ts";
import type { Usage } from "../../../contract/run.ts";
import { AnswerText, type Answer } from "../../../engine/answer-text.ts";
import { ChatBudget, type TalkLimits } from "../../agent/chat-budget.ts";
import type { AgentEnd, AgentHandle } from "../../engine/agents.ts";
import type { PlanningParts } from "../parts.ts";
import { AnswerProgress } from "./answer-progress.ts";

export interface Question {
  session: string;
  /** What its transcript is called after. */
  label: string;
  /** What the answer is asked for. */
  purpose: AnswerPurpose;
  /** The very bytes of the log. */
  prompt: Redacted<string>;
  engine: string;
  model: string | undefined;
  limits: TalkLimits | undefined;
}

/** What an answer is for, in the words that a failure is told in. */
export interface AnswerPurpose {
  /** What does not come to be without it: "no turn was made". */
  nothing: string;
  /** What is missing: "no plan". */
  answer: string;
  /** How it is asked for again: "plan again". */
  again: string;
  command: string;
}

export interface AgentAnswer {
  text: string;
  engineSession: string | undefined;
  model: string | undefined;
  usage: Usage | undefined;
}

interface Listeners {
  /** How many characters of the answer have come in. */
  onProgress: (chars: number) => void;
  /** Called before the answer comes: the engine told which session of its own this is. */
  onEngineSession: (engineSession: string) => void;
  warn: (message: string) => void;
}

/** Asks an agent for one answer. Throws a ClewError when it gives none; nothing is left then but its transcript. */
export async function askAgent(
  parts: PlanningParts,
  { session, label, purpose, prompt, engine, model, limits }: Question,
  { onProgress, onEngineSession, warn }: Listeners,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  signal.throwIfAborted();
  const { agents, guard, newMark, folder, settings } = parts;
  const budget =
    limits &&
    new ChatBudget({
      limits,
      clock: parts.newClock(),
      oneShot: true,
      engine,
      model,
      isCostKnown: (each) => agents.isCostKnown(engine, each),
      warn,
    });
  const said = new AnswerText();
  const progress = new AnswerProgress();
  let endGuard = (): void => undefined;
  let engineSession: string | undefined;
  let usedModel = model;
  const live: { agent?: AgentHandle } = {};
  const take = (event: EngineEvent): void => {
    said.add(event);
    if (progress.add(event)) onProgress(progress.chars);
    if (event.type === "init") {
      usedModel = event.model ?? usedModel;
      if (event.engine_session !== undefined && event.engine_session !== engineSession) {
        engineSession = event.engine_session;
        onEngineSession(engineSession);
      }
    }
    budget?.take(event, live.agent!);
  };
  const agent = (live.agent = agents.run({
    engine,
    task: {
      prompt,
      ...(model !== undefined && { model }),
      level: "read",
      until: "answer",
      bare: true,
      ...(budget?.roundsLeft !== undefined && { rounds: budget.roundsLeft }),
    },
    place: { folder, env: { CLEW_SESSION: session }, mark: newMark(session) },
    settings,
    ...(budget?.needsCost && { needsCost: true }),
    signal,
    transcript: { owner: session, label },
    listeners: {
      onStarted: (process) => void (endGuard = guard(process)),
      onStderr: () => undefined,
      onEvent: take,
    },
  }));
  budget?.begin(agent);
  const end = await agent.done.finally(() => endGuard());
  await budget?.end();
  signal.throwIfAborted();
  const { answer } = said;
  refuseFailure(end, engine, answer, budget, purpose);
  if (answer.isContinued)
    warn("the answer reached the model's limit, and the engine asked it to go on: it was told more than _context.log");
  return { text: answer.text, engineSession, model: usedModel, usage: end.usage };
}

/** Only an answer that came to its end makes a turn. */
function refuseFailure(
  end: AgentEnd,
  engine: string,
  answer: Answer,
  budget: ChatBudget | undefined,
  { nothing, answer: wanted, again, command: ownCommand }: AnswerPurpose,
): void {
  if (budget?.isReached) {
    const { message, command } = budget.reachedAt(end, ownCommand)!;
    throw new ClewError("limit_reached", `the agent ${message}; ${nothing}`, command);
  }
  const { ended } = answer;
  if (ended === "cut_off") {
    const hint = "ask for less at once, or of a model that may say more: --model NAME";
    throw new ClewError("engine_failed", `the answer of ${engine} was cut off at its model's limit; ${nothing}`, hint);
  }
  if (ended === "refused") {
    const hint = "say it otherwise, or ask another model or engine: --model NAME, --engine NAME";
    throw new ClewError("engine_failed", `the model of ${engine} refused to answer; ${nothing}`, hint);
  }
  const wayOut = end.problem?.wayOut ?? `clew engine doctor ${engine} tells whether it works; then ${again}`;
  if (ended === "complete" && answer.text.trim() === "") {
    throw new ClewError("engine_failed", `${engine} answered nothing; ${nothing}`, wayOut);
  }
  if (end.outcome === "completed" && ended === "complete") return;
  const told = answer.problem ?? (end.verdict.success ? undefined : end.verdict.error);
  throw new ClewError(
    "engine_failed",
    `${engine} gave ${wanted}: ${told ?? `it was ${end.outcome}`}; ${nothing}`,
    wayOut,
  );
}

/** Options go before the agent's file. */
export function limitsWith(
  agent: string,
  options: Limits | undefined,
  file: Limits | undefined,
): TalkLimits | undefined {
  if (!options && !file) return undefined;
  return { options: options ?? {}, ...(file && { file: { agent, limits: file } }) };
}
