import { ClewError } from "../../../contract/errors.ts";
import { fromRedacted, type Redact, type Redacted } from "../../../contract/redacted.ts";
import type { TurnLine } from "../../../contract/turn.ts";
import { limitsOfAgent } from "../../../grimoire/agent/agent-options.ts";
import { redactValue } from "../../../redact/redact-value.ts";
import { writeContextLog } from "../../../turn/log/context-log.ts";
import { lineOf } from "../../../turn/names.ts";
import {
  placeOfPlan,
  turnStates,
  unexecutedTurn,
  type AbandonedTurns,
  type PlanPlace,
  type TurnState,
} from "../../../turn/turn-states.ts";
import { refuseEngine } from "../../agent/talk-options.ts";
import { agentOfPlan, contextOfPlan, tokensOfPlan } from "../context/next-plan.ts";
import { refuseOverBudget } from "../context/turn-context.ts";
import type { PlanningParts, TurnParts } from "../parts.ts";
import type { TurnFile } from "../ports.ts";
import { abandonedTurns, requiredText } from "../read-turn.ts";
import { limitsWith, type AnswerPurpose, type Question } from "./ask-agent.ts";
import { emptyLineWarnings } from "./empty-lines.ts";
import { checkPlan } from "./plan-summary.ts";
import type { PlanRequest } from "./request.ts";

export type Planned = Extract<TurnLine, { type: "planned" }>;

/** So often the errors of one plan are handed back, over all commands: an agent that fails twice needs other words. */
export const maxRepairs = 2;

/** What is to be planned, before an agent is asked. */
export interface Draft {
  place: PlanPlace;
  agent: string;
  engine: string;
  model: string | undefined;
  question: Omit<Question, "prompt">;
  /** What it is sent: `_context.log`, as it is written. */
  contextLog: Redacted<string>;
  /** About how much that is. */
  tokens: number;
  /** Files beside the log and the plan. */
  files: TurnFile[];
  /** What a person should know before the agent is asked. */
  warnings: string[];
  /** What was planned in this turn before, when it is repaired. */
  before?: { line: Planned; answer: string };
}

/** A new plan: in the next turn, or in an empty branch. */
export async function draftOf(
  parts: TurnParts,
  planning: PlanningParts,
  session: string,
  request: PlanRequest,
  redact: Redact,
): Promise<Draft> {
  const lines = parts.store.lines(session);
  const abandoned = abandonedTurns(parts.store, session, lines);
  const place = placeOfPlan(lines, { from: request.from, abandoned });
  const { agent: usual, handover } = await agentOfPlan(parts, session, lines, place);
  const agent = request.agent ?? usual;
  const message = request.message ?? (handover?.agent === agent ? handover.text : undefined);
  if (message === undefined || message.trim() === "") throw noMessage();
  const asked = await questionOf(parts, planning, { session, turn: place.turn, agent, request });
  const context = await contextOfPlan(parts, session, place, { agent, isNamed: request.agent !== undefined });
  const { log, list, listed } = context;
  const tokens = tokensOfPlan(context, message);
  refuseOverBudget(tokens, request.budget ?? parts.budget, listed.files);
  const contextLog = fromRedacted(redactValue({ ...log, message }, redact), writeContextLog);
  const files: TurnFile[] = [
    { name: "turn.context", content: redact(list) },
    { name: "_context.log", content: contextLog },
  ];
  const warnings = [...passedOver(lines, place, abandoned), ...emptyLineWarnings(listed.empty, place.after)];
  return { place, agent, ...asked, contextLog, tokens, files, warnings };
}

/** The last plan again, when that is to be repaired; undefined when something new is asked for. */
export async function draftOfRepair(
  parts: TurnParts,
  planning: PlanningParts,
  session: string,
  request: PlanRequest,
  redact: Redact,
): Promise<Draft | undefined> {
  if (!request.repair || request.message !== undefined) return undefined;
  const state = turnToRepair(parts, session, request.from);
  if (!state?.planned) return undefined;
  const { turn, after, planned } = state;
  const answer = requiredText(parts.store, session, turn, "plan.md");
  if (checkPlan(answer).plan) {
    throw new ClewError("not_possible_now", `the plan of turn ${turn} is valid`, `clew session execute ${turn}`);
  }
  if (planned.repairs >= maxRepairs) throw noMoreRepairs(session, turn);
  const agent = request.agent ?? planned.agent;
  const asked = await questionOf(parts, planning, {
    session,
    turn,
    agent,
    request: { engine: planned.engine, ...modelOf(planned, request), ...request },
  });
  const contextLog = redact(requiredText(parts.store, session, turn, "_context.log"));
  return {
    place: { turn, after },
    agent,
    ...asked,
    contextLog,
    tokens: 0,
    files: [],
    warnings: [],
    before: { line: planned, answer },
  };
}

/** The model that planned it, where the same engine repairs it. */
function modelOf(
  { engine, model }: { engine: string; model?: string },
  request: { engine?: string },
): { model?: string } {
  return model === undefined || (request.engine ?? engine) !== engine ? {} : { model };
}

/** Tells of turns between the last one and this, which were given up by removing their plans. */
function passedOver(lines: readonly TurnLine[], { turn, after }: PlanPlace, abandoned: AbandonedTurns): string[] {
  const inLine = turnStates(lines).filter((state) => abandoned.has(state.turn) && state.after === after);
  return inLine
    .filter((state) => lineOf(state.turn) === lineOf(turn))
    .map(
      ({ turn: gone }) =>
        `the plan of turn ${gone} is gone, and was never executed: it counts as given up, and ${turn} takes its place; git checkout may bring it back`,
    );
}

function turnToRepair({ store }: TurnParts, session: string, from: string | undefined): TurnState | undefined {
  const lines = store.lines(session);
  const state =
    from === undefined
      ? unexecutedTurn(lines, abandonedTurns(store, session, lines))
      : turnStates(lines).find(({ turn }) => turn === from);
  return state?.executed ? undefined : state;
}

/** By whom it is planned: by flag, the agent's file and the settings, in this order. */
async function questionOf(
  parts: TurnParts,
  planning: PlanningParts,
  { session, turn, agent, request }: { session: string; turn: string; agent: string; request: PlanRequest },
): Promise<Pick<Draft, "engine" | "model" | "question">> {
  const file = await parts.requireAgent(agent);
  const engine = request.engine ?? file.engine ?? planning.defaultEngine;
  refuseEngine(planning.engines, planning.settings, engine);
  const isItsEngine = file.engine === undefined || file.engine === engine;
  const model = request.model ?? (isItsEngine ? file.model : undefined);
  const limits = limitsWith(agent, request.limits, limitsOfAgent(file));
  const label = `turn-${turn}`;
  return { engine, model, question: { session, label, purpose: planPurpose, engine, model, limits } };
}

const planPurpose: AnswerPurpose = {
  nothing: "no turn was made",
  answer: "no plan",
  again: "plan again",
  command: "clew session plan",
};

function noMoreRepairs(session: string, turn: string): ClewError {
  return new ClewError(
    "not_possible_now",
    `the errors in the plan of turn ${turn} were handed back twice, and it is still no valid plan`,
    `mend its plan.md yourself, then clew session execute ${turn}; or plan anew: clew session branch ${turn} -s ${session} -m TEXT`,
  );
}

function noMessage(): ClewError {
  return new ClewError("invalid_input", "there is no message for the agent", 'clew session plan -m "what to do"');
}
