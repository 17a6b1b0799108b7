import { ClewError } from "../contract/errors.ts";
import type { TurnLine } from "../contract/turn.ts";
import { checkedTurnName, compareTurns, firstTurn, turnAfter, turnBefore } from "./names.ts";

type LineOf<Type extends TurnLine["type"]> = Extract<TurnLine, { type: Type }>;

/** What became of a turn. */
export interface TurnState {
  turn: string;
  /** The turn before it in its line; null for the first. */
  after: string | null;
  branched?: LineOf<"branched">;
  /** The last one: a repair plans the same turn again. */
  planned?: LineOf<"planned">;
  executed?: LineOf<"executed">;
  undone?: LineOf<"undone">;
}

/** The turns of a session, in reading order. */
export function turnStates(lines: readonly TurnLine[]): TurnState[] {
  const states = new Map<string, TurnState>();
  for (const line of lines) {
    const state = states.get(line.turn) ?? { turn: line.turn, after: turnBefore(line.turn) };
    const after = line.type === "planned" ? line.after : state.after;
    states.set(line.turn, { ...state, after, [line.type]: line });
  }
  return [...states.values()].sort((a, b) => compareTurns(a.turn, b.turn));
}

/** Where the next plan stands. */
export interface PlanPlace {
  turn: string;
  after: string | null;
  /** The turn whose recorded context it is given, when it fills a branch. */
  branchOf?: string;
}

/** Turns that were never executed and whose plan is gone: a person gave them up. Their numbers are not used again. */
export type AbandonedTurns = ReadonlySet<string>;

interface PlaceOptions {
  /** The turn after which it stands, in place of the last one. */
  from?: string | undefined;
  /** Only looks ahead: a plan without a report is not in the way. */
  early?: boolean;
  abandoned?: AbandonedTurns;
}

/**
 * The turn that `plan` makes: in an empty branch, else after the last turn of the line that was planned last. `from` names another line.
 * Throws a ClewError while that turn has no report, unless `early` only looks ahead.
 */
export function placeOfPlan(
  lines: readonly TurnLine[],
  { from, early = false, abandoned = new Set() }: PlaceOptions = {},
): PlanPlace {
  const states = new Map(turnStates(lines).map((state) => [state.turn, state]));
  const start = from === undefined ? lastWorkedOn(lines, states, abandoned) : stateOfTurn(states, from);
  if (!start) return { turn: freeTurn(states, firstTurn), after: null };
  if (abandoned.has(start.turn)) throw abandonedError(start.turn);
  if (start.branched && !start.planned) {
    return { turn: start.turn, after: start.after, branchOf: start.branched.from };
  }
  const last = lastOfLine(states, start, abandoned);
  if (from !== undefined && last !== start) throw continued(from, lineFrom(states, from, abandoned)[0]!);
  if (!early) refuseUnexecuted(last);
  return { turn: freeTurn(states, turnAfter(last.turn)), after: last.turn };
}

/** The turn that `plan` refuses to go past, and that `execute` takes: the latest plan without a report. */
export function unexecutedTurn(
  lines: readonly TurnLine[],
  abandoned: AbandonedTurns = new Set(),
): TurnState | undefined {
  const states = new Map(turnStates(lines).map((state) => [state.turn, state]));
  const isOpen = (turn: string): boolean => !states.get(turn)!.executed && !abandoned.has(turn);
  const latest = lines.findLast((line) => line.type === "planned" && isOpen(line.turn));
  return latest && states.get(latest.turn);
}

/** The command that plans after a turn. It names the turn where plain `plan` would go on in another line. */
export function planCommandAfter(
  lines: readonly TurnLine[],
  { session, turn, handsOver = false }: { session: string; turn: string; handsOver?: boolean },
  abandoned?: AbandonedTurns,
): string {
  const { after, branchOf } = placeOfPlan(lines, { early: true, ...(abandoned && { abandoned }) });
  const from = after === turn && branchOf === undefined ? "" : ` --from ${turn}`;
  return `clew session plan -s ${session}${from}${handsOver ? "" : ' -m "…"'}`;
}

/** The state of a turn. Throws a ClewError when there is none of that name. */
export function stateOfTurn(states: ReadonlyMap<string, TurnState>, turn: string): TurnState {
  const state = states.get(checkedTurnName(/^\d$/.test(turn) ? `0${turn}` : turn));
  if (state) return state;
  const names = [...states.keys()];
  const hint = names.length === 0 ? "clew session plan -m TEXT makes the first" : `there are ${names.join(", ")}`;
  throw new ClewError("unknown_turn", `there is no turn ${turn}`, hint);
}

/** An empty branch goes first; else the turn that was planned last. */
function lastWorkedOn(
  lines: readonly TurnLine[],
  states: ReadonlyMap<string, TurnState>,
  abandoned: AbandonedTurns,
): TurnState | undefined {
  const there = lines.filter(({ turn }) => !abandoned.has(turn));
  const emptyBranch = there.findLast((line) => line.type === "branched" && !states.get(line.turn)!.planned);
  const latest = emptyBranch ?? there.findLast((line) => line.type === "planned");
  return latest && states.get(latest.turn);
}

function lastOfLine(states: ReadonlyMap<string, TurnState>, start: TurnState, abandoned: AbandonedTurns): TurnState {
  return lineFrom(states, start.turn, abandoned).at(-1) ?? start;
}

/** The turns after this one in its line, without those that were given up. */
function lineFrom(states: ReadonlyMap<string, TurnState>, turn: string, abandoned: AbandonedTurns): TurnState[] {
  const line: TurnState[] = [];
  for (let next = states.get(turnAfter(turn)); next; next = states.get(turnAfter(next.turn))) {
    if (!abandoned.has(next.turn)) line.push(next);
  }
  return line;
}

/** This turn, or the next of its line that there never was. */
function freeTurn(states: ReadonlyMap<string, TurnState>, turn: string): string {
  let free = turn;
  while (states.has(free)) free = turnAfter(free);
  return free;
}

function abandonedError(turn: string): ClewError {
  return new ClewError(
    "not_possible_now",
    `the plan of turn ${turn} is gone, and was never executed: the turn counts as given up`,
    "leave --from out, or name another turn: clew session turns; git checkout may bring it back",
  );
}

function refuseUnexecuted({ turn, executed }: TurnState): void {
  if (executed) return;
  throw new ClewError(
    "not_possible_now",
    `the plan of turn ${turn} has not been executed`,
    `clew session execute ${turn}; or another answer to the same context: clew session branch ${turn} -m TEXT`,
  );
}

function continued(turn: string, { turn: next }: TurnState): ClewError {
  return new ClewError(
    "not_possible_now",
    `${next} follows turn ${turn} already`,
    `clew session branch ${next} -m TEXT plans it anew beside it; --from takes the last turn of a line`,
  );
}
