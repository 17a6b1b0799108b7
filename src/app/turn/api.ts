import type { ListedTurn, PlanNews, TurnsApi } from "../../contract/api/turn.ts";
import { ClewError } from "../../contract/errors.ts";
import type { TurnLine } from "../../contract/turn.ts";
import { redactValue } from "../../redact/redact-value.ts";
import { branchedFrom, nextBranch } from "../../turn/names.ts";
import {
  stateOfTurn,
  placeOfPlan,
  turnStates,
  unexecutedTurn,
  type AbandonedTurns,
  type PlanPlace,
  type TurnState,
} from "../../turn/turn-states.ts";
import { streamOf } from "../run/stream.ts";
import { begunBelow } from "../session/authority.ts";
import { acquireSession } from "../session/drivers.ts";
import { refuseEndedSession, startSession } from "../session/lifecycle.ts";
import { findTurnSession } from "./find-session.ts";
import type { TurnParts } from "./parts.ts";
import { abandonedTurns, planOf, requiredText, titleOf, turnText } from "./read-turn.ts";
import { refusePlanOf, takePlan } from "./take-plan.ts";

export function turnsApi(parts: TurnParts): TurnsApi {
  const { store, sessions, files, folderOf } = parts;

  /** Only this process works on the turns of the session meanwhile. What a crash left is put right first. */
  async function withSessionLock<T>(session: string, work: () => Promise<T>): Promise<T> {
    const release = acquireSession(parts.drivers, "turns", session);
    try {
      await parts.mend(session);
      const { projectTurns } = await import("./session/turn-record.ts");
      await projectTurns(parts, session);
      return await work();
    } finally {
      release();
    }
  }

  return {
    async create({ name }) {
      refuseName(name);
      const { begun_below } = begunBelow(await parts.caller());
      const title = name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");
      const session_id = await startSession(sessions, { title, kind: "turns", begunBelow: begun_below });
      files.makeSessionList(session_id);
      const namesake = session_id.endsWith(`-${name}`) ? {} : { namesake: session_id.replace(/-\d+$/, "") };
      return { session_id, path: folderOf(session_id), ...namesake };
    },

    async context({ session: name, from, budget = parts.budget }) {
      const session = await findTurnSession(parts, name);
      const lines = store.lines(session);
      const abandoned = abandonedTurns(store, session, lines);
      const place = placeOfPlan(lines, { from, early: true, abandoned });
      const { agentOfPlan, contextOfPlan, tokensOfPlan } = await import("./context/next-plan.ts");
      const { agent } = await agentOfPlan(parts, session, lines, place);
      const context = await contextOfPlan(parts, session, place, { agent, isNamed: false });
      const { listed } = context;
      const tokens = tokensOfPlan(context, "");
      const { turn, after, branchOf } = place;
      const { files: shown, removed, empty } = listed;
      const last = turnStates(lines).find((state) => state.turn === after);
      const open = branchOf === undefined && last && !last.executed ? last.turn : null;
      return { session_id: session, turn, after, agent, files: shown, removed, empty, open, tokens, budget };
    },

    async check({ text, file }) {
      const { checkPlan } = await import("./planning/plan-summary.ts");
      return checkPlan(text, file);
    },

    async plan({ session: name, ...request }, options) {
      const session = await findTurnSession(parts, name);
      const { planTurn } = await import("./planning/plan-turn.ts");
      return streamOf<PlanNews, void>(
        (tell, signal) =>
          withSessionLock(session, async () => tell(await planTurn(parts, session, request, tell, signal))),
        options?.signal,
      );
    },

    async makePlan({ session: name, ...request }, options) {
      const session = await findTurnSession(parts, name);
      const { planTurn } = await import("./planning/plan-turn.ts");
      const signal = options?.signal ?? new AbortController().signal;
      return withSessionLock(session, () => planTurn(parts, session, request, () => undefined, signal));
    },

    async branch({ session: name, turn: from, same_plan = false }) {
      const session = await findTurnSession(parts, name);
      return withSessionLock(session, async () => {
        await refuseEndedSession(sessions, session);
        const { turn, origin } = await makeBranch(parts, session, from, same_plan);
        const { projectTurns } = await import("./session/turn-record.ts");
        await projectTurns(parts, session);
        const { executed, undone } = origin;
        const still_changed = undone ? [] : (executed?.files.map(({ path }) => path) ?? []);
        return { session_id: session, turn, path: folderOf(session, turn), still_changed };
      });
    },

    async list({ session: name }) {
      const session = await findTurnSession(parts, name);
      const lines = store.lines(session);
      const turns: ListedTurn[] = [];
      const abandoned = abandonedTurns(store, session, lines);
      for (const state of turnStates(lines)) turns.push(await listedTurn(parts, session, state, abandoned));
      const place = nextPlace(lines, abandoned);
      const { agentOfPlan } = await import("./context/next-plan.ts");
      const { handover } = place ? await agentOfPlan(parts, session, lines, place) : {};
      return {
        session_id: session,
        turns,
        next_plan: place?.turn ?? null,
        handed_to: handover?.agent ?? null,
        next_execute: unexecutedTurn(lines, abandoned)?.turn ?? null,
      };
    },
  };
}

/** Keeps what the turn was shown, so that another plan can be made of it. */
async function makeBranch(
  { store, sessions }: TurnParts,
  session: string,
  from: string,
  hasSamePlan: boolean,
): Promise<{ turn: string; origin: TurnState }> {
  const redact = await sessions.redact();
  const states = new Map(turnStates(store.lines(session)).map((state) => [state.turn, state]));
  const origin = stateOfTurn(states, from);
  refuseEmptyBranch(origin);
  if (hasSamePlan) await refusePlanOf(store, session, origin);
  const turn = nextBranch(origin.turn, states.keys());
  const files = ["turn.context", "_context.log"].map((name) => ({
    name,
    content: redact(requiredText(store, session, origin.turn, name)),
  }));
  const at = new Date(sessions.clock.now()).toISOString();
  const line: TurnLine = { v: 1, turn, at, type: "branched", from: origin.turn, hashes: {} };
  store.commit(session, turn, files, redactValue(line, redact));
  if (hasSamePlan) takePlan(store, session, { origin, turn, at, redact });
  return { turn, origin };
}

function refuseEmptyBranch({ turn, planned, branched }: TurnState): void {
  if (planned || !branched) return;
  throw new ClewError(
    "not_possible_now",
    `${turn} is an empty branch, and another one of it would be the same`,
    `clew session plan --from ${turn} -m TEXT fills it; clew session branch ${branched.from} makes another`,
  );
}

async function listedTurn(
  { store }: TurnParts,
  session: string,
  state: TurnState,
  abandoned: AbandonedTurns,
): Promise<ListedTurn> {
  const { turn, after, branched, planned, executed, undone } = state;
  const plan = planned && turnText(store, session, turn, "plan.md");
  return {
    turn,
    after,
    from: branchedFrom(turn) ?? null,
    agent: planned?.agent ?? null,
    title: (plan === undefined ? undefined : titleOf(plan)) ?? null,
    status: abandoned.has(turn)
      ? "missing"
      : (executed?.status ?? (planned ? await statusOfPlan(store, session, turn) : "branched")),
    branched_at: branched?.at ?? null,
    planned_at: planned?.at ?? null,
    executed_at: executed?.at ?? null,
    undone_at: undone?.at ?? null,
    files: executed?.files.map(({ path }) => path) ?? [],
  };
}

async function statusOfPlan(store: TurnParts["store"], session: string, turn: string): Promise<"planned" | "invalid"> {
  return (await planOf(store, session, turn)) ? "planned" : "invalid";
}

/** Undefined while a plan has to be executed first. */
function nextPlace(lines: readonly TurnLine[], abandoned: AbandonedTurns): PlanPlace | undefined {
  try {
    return placeOfPlan(lines, { abandoned });
  } catch (error) {
    if (error instanceof ClewError) return undefined;
    throw error;
  }
}

function refuseName(name: string): void {
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && name.length <= 60) return;
  const right = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 60);
  throw new ClewError(
    "invalid_input",
    `${JSON.stringify(name)} is no name for a session: it has small letters, digits and single dashes between them, 60 at most`,
    `such as clew session new ${right === "" ? "add-user-auth" : right}`,
  );
}
