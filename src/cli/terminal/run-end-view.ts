import type { RunDetails } from "../../contract/api/run.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { wrapLines } from "./wrap.ts";
import { viewCommands, viewWait } from "./run-wait-view.ts";
import { placeText, usageText } from "./run-words.ts";
import { duration } from "./time.ts";

export type StartedLine = Extract<JournalLine, { type: "workflow.started" }>;

/** What is worked on, above everything that follows. */
export function viewTitle(screen: Screen, { workflow_id, bead_id, grimoire, pinned }: StartedLine): string {
  const facts = cleanLine(`${bead_id} · ${grimoire} · run ${workflow_id}`);
  const { colors } = screen;
  return wrapLines(screen, `${colors.bold(cleanLine(pinned.bead.title))}  ${colors.dim(facts)}`).join("\n");
}

/** How it came out, below everything: the last line that a person reads, and the commands to go on. */
export function viewEnd(screen: Screen, run: RunDetails): string {
  const { colors } = screen;
  const facts = [duration(Math.round(run.running_ms)), usageText(run.usage)].filter((fact) => fact !== "").join(" · ");
  switch (run.status) {
    case "completed":
      return `${colors.green("✓ completed")}  ${colors.dim(facts)}`;
    case "cancelled":
      return `${colors.dim("–")} cancelled  ${colors.dim(facts)}`;
    case "running":
      return `${colors.cyan("▸")} another process goes on with it\n${viewCommands(screen, [[`clew run log ${run.id} -f`, "follow it"]]).join("\n")}`;
    case "interrupted":
      return viewInterrupted(screen, run);
    default:
      return viewWait(screen, run);
  }
}

/** For a run that no process drives: its current step is done again when it goes on. */
export function viewInterrupted(screen: Screen, { id, current, stopped }: RunDetails): string {
  const { colors } = screen;
  const place = current ? ` at ${colors.bold(placeText(current))}, which is done again` : "";
  const commands = viewCommands(screen, [
    [`clew run resume ${id}`, "go on"],
    [`clew run cancel ${id}`, "give it up"],
  ]);
  const what = stopped ? `⏸ stopped by a person (${stopped.reason})` : "⏸ interrupted";
  return [`${colors.yellow(cleanLine(what))}${place}`, ...commands].join("\n");
}
