import type { ListedRun, UnreadableRun } from "../../contract/api/run.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { runStatusCell } from "./run-words.ts";
import { table, type Cell, type Column } from "./table.ts";
import { ago } from "./time.ts";
import { viewUnreadable } from "./unreadable-view.ts";

const columns: Column[] = [
  { title: "RUN", isId: true },
  { title: "STATUS" },
  { title: "STEPS", align: "right", givesWay: 3 },
  { title: "BEAD", isId: true, givesWay: 4 },
  { title: "TITLE", wraps: 2 },
  { title: "STARTED", givesWay: 2 },
  { title: "GRIMOIRE", givesWay: 1, least: 8 },
];

export function viewRuns(screen: Screen, runs: ListedRun[], unreadable: UnreadableRun[]): string {
  const rows = runs.map((run): Cell[] => [
    run.id,
    run.asking === undefined
      ? runStatusCell(screen.colors, run.status)
      : { text: "asks you", paint: screen.colors.yellow },
    `${run.progress.done}/${run.progress.total}`,
    cleanLine(run.bead_id),
    cleanLine(run.bead_title),
    ago(run.started, screen.nowMs()),
    cleanLine(run.grimoire),
  ]);
  return [
    rows.length > 0 ? table(screen, columns, rows) : "No runs. Start one: clew run BEAD-ID",
    ...unreadable.map(({ id, reason }) => viewUnreadable(screen, id, reason)),
  ].join("\n");
}
