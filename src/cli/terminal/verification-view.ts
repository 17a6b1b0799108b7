import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { table, type Cell, type Column } from "./table.ts";

interface Verified {
  session_id: string;
  turns: { turn: string; status: string; files: { name: string; status: string }[] }[];
  problem?: string;
}

const columns: Column[] = [{ title: "TURN", isId: true }, { title: "STATUS" }, { title: "FILE", wraps: 2 }];

/** A row for each turn that is as it was written, and one for each file that is not. */
export function viewVerification(screen: Screen, sessions: readonly Verified[]): string {
  const rows = sessions.flatMap(({ session_id: session, turns, problem }) => [
    ...(problem === undefined ? [] : [rowOf(screen, session, "damaged", problem)]),
    ...turns.flatMap(({ turn, status, files }) => {
      const others = files.filter((file) => file.status !== "intact");
      const name = `${session}/${turn}`;
      if (others.length === 0) return [rowOf(screen, name, status, "")];
      return others.map((file) => rowOf(screen, name, file.status, file.name));
    }),
  ]);
  return rows.length === 0 ? "There are no turns" : table(screen, columns, rows);
}

function rowOf({ colors }: Screen, name: string, status: string, about: string): Cell[] {
  const isIntact = status === "intact";
  const told = { text: `${isIntact ? "✓" : "✗"} ${status}`, paint: isIntact ? colors.green : colors.red };
  return [name, told, cleanLine(about)];
}
