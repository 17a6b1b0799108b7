import { ClewError } from "../../contract/errors.ts";
import type { Redact } from "../../contract/redacted.ts";
import type { TurnLine } from "../../contract/turn.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { TurnState } from "../../turn/turn-states.ts";
import type { TurnStore } from "./ports.ts";
import { planOf, requiredText } from "./read-turn.ts";

/** Throws a ClewError when the plan of a turn cannot be taken over as it is. */
export async function refusePlanOf(store: TurnStore, session: string, { turn, planned, executed }: TurnState) {
  if (!planned || !executed) {
    const hint = planned ? `clew session execute ${turn} -s ${session}` : `clew session plan -s ${session} -m "…"`;
    throw new ClewError("not_possible_now", `turn ${turn} has not been executed: there is nothing to do again`, hint);
  }
  if (store.hashes(session, turn)["plan.md"] !== executed.hashes["plan.md"]) {
    const hint = `git may have it as it was: clew session verify ${session} names what changed`;
    throw new ClewError("not_possible_now", `plan.md of turn ${turn} is not the one that was executed`, hint);
  }
  if (await planOf(store, session, turn)) return;
  const hint = `clew session branch ${turn} -s ${session} -m "…" plans it anew`;
  throw new ClewError("not_possible_now", `the plan of turn ${turn} is in a form that is not read any more`, hint);
}

/** Fills an empty branch with the plan of the turn that it was made from, so that it can be executed again. No agent is asked. */
export function takePlan(
  store: TurnStore,
  session: string,
  { origin, turn, at, redact }: { origin: TurnState; turn: string; at: string; redact: Redact },
): void {
  const content = redact(requiredText(store, session, origin.turn, "plan.md"));
  const { agent, engine, model, beside_context } = origin.planned!;
  const line: TurnLine = {
    v: 1,
    turn,
    at,
    type: "planned",
    after: origin.after,
    agent,
    engine,
    ...(model !== undefined && { model }),
    beside_context,
    hashes: store.hashes(session, turn),
    repairs: 0,
    plan_of: origin.turn,
  };
  store.commit(session, turn, [{ name: "plan.md", content }], redactValue(line, redact));
}
