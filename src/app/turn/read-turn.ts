import { ClewError } from "../../contract/errors.ts";
import type { Plan } from "../../contract/plan.ts";
import type { TurnLine } from "../../contract/turn.ts";
import type { ExecutionReport } from "../../contract/turn-report.ts";
import { turnStates, type AbandonedTurns, type TurnState } from "../../turn/turn-states.ts";
import type { TurnStore } from "./ports.ts";

/** The text of a file in a turn's folder; undefined when it is not there. */
export function turnText(
  store: Pick<TurnStore, "read">,
  session: string,
  turn: string,
  file: string,
): string | undefined {
  const bytes = store.read(session, turn, file);
  return bytes && new TextDecoder("utf8", { ignoreBOM: true }).decode(bytes);
}

/** The same for a file that has to be there. */
export function requiredText(store: Pick<TurnStore, "read">, session: string, turn: string, file: string): string {
  const text = turnText(store, session, turn, file);
  if (text !== undefined) return text;
  throw new ClewError(
    "damaged_session",
    `${session}/${turn}/${file} is missing`,
    "git log --stat shows who removed it; clew session verify tells what else changed",
  );
}

/** The plan of a turn; undefined when it has none that can be read. */
export async function planOf(store: Pick<TurnStore, "read">, session: string, turn: string): Promise<Plan | undefined> {
  const text = turnText(store, session, turn, "plan.md");
  if (text === undefined) return undefined;
  const { readPlan } = await import("../../turn/plan/read-plan.ts");
  return readPlan(text).plan;
}

/** The report of a turn; undefined when it has none that can be read. */
export async function reportOf(
  store: Pick<TurnStore, "read">,
  session: string,
  turn: string,
): Promise<ExecutionReport | undefined> {
  const text = turnText(store, session, turn, "report.md");
  if (text === undefined) return undefined;
  const { readReport } = await import("../../turn/report/read-report.ts");
  return readReport(text).report;
}

/** The turns that were never executed and whose plan, or a branch's log, is gone: a person removed it to give them up. */
export function abandonedTurns(
  store: Pick<TurnStore, "read">,
  session: string,
  lines: readonly TurnLine[],
): AbandonedTurns {
  const open = turnStates(lines).filter(({ executed }) => !executed);
  const isGone = ({ turn, planned }: TurnState): boolean =>
    store.read(session, turn, planned ? "plan.md" : "_context.log") === undefined;
  return new Set(open.filter(isGone).map(({ turn }) => turn));
}

/** The title of a plan, also of one that cannot be executed: its first heading. */
export function titleOf(plan: string): string | undefined {
  const heading = plan.split("\n", 200).find((line) => line.startsWith("# "));
  const title = heading?.slice(2).trim();
  return title === "" ? undefined : title?.slice(0, 200);
}
