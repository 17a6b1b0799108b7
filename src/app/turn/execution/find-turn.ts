import { ClewError } from "../../../contract/errors.ts";
import type { Plan } from "../../../contract/plan.ts";
import type { TurnLine } from "../../../contract/turn.ts";
import { problemPictures } from "../../../turn/plan/problem-picture.ts";
import { readPlan } from "../../../turn/plan/read-plan.ts";
import { stateOfTurn, turnStates, unexecutedTurn } from "../../../turn/turn-states.ts";
import type { ExecutionParts } from "./parts.ts";

export type LineOf<Type extends TurnLine["type"]> = Extract<TurnLine, { type: Type }>;

/** The last line of a kind about a turn. */
export function lineAbout<Type extends TurnLine["type"]>(
  lines: readonly TurnLine[],
  turn: string,
  type: Type,
): LineOf<Type> | undefined {
  return lines.findLast((line): line is LineOf<Type> => line.turn === turn && line.type === type);
}

/** The name of a turn that there is: `2` is `02`. Throws a ClewError for any other. */
export function turnName({ store }: Pick<ExecutionParts, "store">, session: string, given: string): string {
  const states = new Map(turnStates(store.lines(session)).map((state) => [state.turn, state]));
  return stateOfTurn(states, /^\d$/.test(given) ? `0${given}` : given).turn;
}

/** The turn whose plan is to be executed: the one that was named, or the latest without a report. Throws a ClewError. */
export function turnToExecute({ store }: Pick<ExecutionParts, "store">, session: string, given?: string): string {
  const lines = store.lines(session);
  if (given === undefined) {
    const open = unexecutedTurn(lines);
    if (open) return open.turn;
    const last = lines.findLast(({ type }) => type === "executed")?.turn;
    const message =
      last === undefined
        ? `the session ${session} has no plan`
        : `every plan of the session ${session} has a report; the last is ${last}`;
    throw new ClewError("not_possible_now", message, `clew session plan -s ${session} -m "…" makes the next one`);
  }
  const turn = turnName({ store }, session, given);
  if (lineAbout(lines, turn, "executed")) {
    const undo = lineAbout(lines, turn, "undone") ? "" : `; clew session undo ${turn} before takes its changes back`;
    const hint = `${branchAgain(session, turn)}${undo}`;
    throw new ClewError("not_possible_now", `turn ${turn} of the session ${session} has a report already`, hint);
  }
  if (!lineAbout(lines, turn, "planned")) {
    const hint = `clew session plan -s ${session} -m "…" fills it`;
    throw new ClewError("not_possible_now", `turn ${turn} of the session ${session} has no plan yet`, hint);
  }
  return turn;
}

/** A turn is executed once: how its plan is executed again, or another one made in its place. */
export function branchAgain(session: string, turn: string): string {
  return `clew session branch ${turn} -s ${session} --same-plan makes a branch with this plan, to execute it again; -m "…" plans anew`;
}

export interface PlanToExecute {
  plan: Plan;
  text: string;
  agent: string;
  /** The hash with which plan.md was written. */
  sha256: string | undefined;
  isChanged: boolean;
}

/** The plan of a turn. Throws a ClewError with all that is wrong with it. */
export function planToExecute(
  parts: Pick<ExecutionParts, "store" | "sha256" | "pathOf">,
  session: string,
  turn: string,
): PlanToExecute {
  const bytes = parts.store.read(session, turn, "plan.md");
  const line = lineAbout(parts.store.lines(session), turn, "planned");
  if (!bytes || !line) {
    const hint = `clew session verify ${session} shows what is missing; git may have it`;
    throw new ClewError("not_possible_now", `plan.md of turn ${turn} is not there`, hint);
  }
  const text = new TextDecoder().decode(bytes);
  const { plan, problems } = readPlan(text, `${turn}/plan.md`);
  if (!plan) {
    const errors = problems.filter(({ severity }) => severity === "error");
    const count = `${errors.length} ${errors.length === 1 ? "error" : "errors"}`;
    const pictures = problemPictures(text, errors).map((picture, at) => {
      const { line: errorLine, column, message } = errors[at]!;
      return `${parts.pathOf(session, turn, "plan.md")}:${errorLine}:${column}: ${message}\n${picture}`;
    });
    throw new ClewError(
      "invalid_input",
      `the plan of turn ${turn} has ${count}, and cannot be executed\n${pictures.join("\n")}`,
      `mend plan.md yourself; or clew session plan --repair -s ${session} hands them back to the agent, at most twice`,
    );
  }
  const sha256 = line.hashes["plan.md"];
  return { plan, text, agent: line.agent, sha256, isChanged: sha256 !== parts.sha256(bytes) };
}
