import type { ListedTurn } from "../../contract/api/turn.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import type { Colors, Paint } from "./colors.ts";
import { table, type Cell, type Column } from "./table.ts";
import { ago } from "./time.ts";

interface ListedTurns {
  session_id: string;
  turns: ListedTurn[];
  next_plan: string | null;
  handed_to: string | null;
  next_execute: string | null;
}

const columns: Column[] = [
  { title: "TURN", isId: true },
  { title: "STATUS" },
  { title: "AGENT", givesWay: 2 },
  { title: "TITLE", wraps: 2 },
  { title: "FILES", align: "right", givesWay: 1 },
  { title: "WHEN", givesWay: 3 },
];

/** Turns in reading order, branches below the turn that they were made from; then what the next commands would take. */
export function viewTurns(
  screen: Screen,
  { session_id: session, turns, next_plan, handed_to, next_execute }: ListedTurns,
): string {
  const { colors } = screen;
  const head = colors.bold(session);
  if (turns.length === 0) return `${head}\n\nNo turn yet. Next: clew session plan -m TEXT -s ${session}`;
  const names = drawnNames(turns.map(({ turn }) => turn));
  const rows = turns.map((turn, at) => rowOf(screen, turn, names[at]!));
  const execute = next_execute === null ? [] : [`clew session execute takes ${next_execute}`];
  const does = turns.some(({ turn }) => turn === next_plan) ? "fills" : "makes";
  const what = handed_to === null ? `clew session plan -m TEXT ${does}` : `clew session plan ${does}`;
  const by = handed_to === null ? "" : `, by ${cleanLine(handed_to)} with the words it was handed`;
  const plan = next_plan === null ? [] : [`${what} ${next_plan}${by}`];
  return [head, "", table(screen, columns, rows), "", ...execute, ...plan].join("\n");
}

function rowOf({ colors, nowMs }: Screen, turn: ListedTurn, name: string): Cell[] {
  const { status, agent, title, files, undone_at: undone } = turn;
  const when = undone ?? turn.executed_at ?? turn.planned_at ?? turn.branched_at;
  return [
    name,
    undone === null
      ? { text: status, paint: paints(colors)[status] }
      : { text: `${status}, undone`, paint: colors.yellow },
    agent === null ? "-" : cleanLine(agent),
    title === null ? (status === "branched" ? "no plan yet" : "-") : cleanLine(title),
    files.length === 0 ? "" : String(files.length),
    when === null ? "" : ago(when, nowMs()),
  ];
}

/** A branch hangs below its turn; what follows it stands under it. The last branch of a turn closes the line that joins them. */
function drawnNames(turns: readonly string[]): string[] {
  const depthOf = (turn: string): number => turn.split("-branch-").length - 1;
  return turns.map((turn, at) => {
    const own = depthOf(turn);
    const isBranch = /-branch-\d+$/.test(turn);
    const rest = turns.slice(at + 1);
    const signs = Array.from({ length: own }, (_, index) => {
      const depth = index + 1;
      const end = rest.findIndex((each) => depthOf(each) < depth);
      const within = end < 0 ? rest : rest.slice(0, end);
      // Another branch of the same turn comes below: it has this depth, and begins a line.
      const goesOn = within.some((each) => depthOf(each) === depth && /-branch-\d+$/.test(each));
      if (depth === own && isBranch) return goesOn ? "├─ " : "└─ ";
      return goesOn ? "│  " : "   ";
    });
    return signs.join("") + turn;
  });
}

function paints(colors: Colors): Record<ListedTurn["status"], Paint> {
  return {
    branched: colors.dim,
    planned: colors.cyan,
    invalid: colors.red,
    missing: colors.dim,
    SUCCESS: colors.green,
    PARTIAL: colors.yellow,
    FAILURE: colors.red,
    ABORTED: colors.yellow,
  };
}
