import type { ListedRun, UnreadableRun } from "../../app/run-reading.ts";
import { clean, cleanLine } from "./clean.ts";
import { paintStatus, type Look } from "./run-words.ts";
import { table } from "./table.ts";
import { ago } from "./time.ts";

export function viewRuns(look: Look, runs: ListedRun[], unreadable: UnreadableRun[]): string {
  const { colors } = look;
  const parts: string[] = [];
  if (runs.length > 0) {
    parts.push(
      table(
        [
          { title: "RUN" },
          { title: "STATUS" },
          { title: "STEPS", align: "right" },
          { title: "BEAD", flexible: true },
          { title: "STARTED" },
          { title: "GRIMOIRE" },
        ],
        runs.map((run) => [
          run.id,
          paintStatus(colors, run.status),
          `${run.progress.done}/${run.progress.total}`,
          cleanLine(`${run.bead_id}  ${run.bead_title}`),
          ago(run.started, look.nowMs()),
          cleanLine(run.grimoire),
        ]),
        look.width,
        colors.dim,
      ),
    );
  } else parts.push("No runs. Start one: clew run BEAD-ID");
  for (const { id, reason } of unreadable)
    parts.push(`${colors.red("unreadable")}  ${clean(id)}\n            ${clean(reason)}`);
  return parts.join("\n");
}
