import type { RunDetails } from "../../contract/api/run.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import { cleanLine } from "./clean.ts";
import { wrapped } from "./wrap.ts";
import { viewCommands, viewWait } from "./run-wait-view.ts";
import { placeText, usageText, type Look } from "./run-words.ts";
import { duration } from "./time.ts";

export type StartedLine = Extract<JournalLine, { type: "workflow.started" }>;

/** What is worked on, above everything that follows. */
export function viewTitle(look: Look, { workflow_id, bead_id, grimoire, pinned }: StartedLine): string {
  const facts = cleanLine(`${bead_id} · ${grimoire} · run ${workflow_id}`);
  const { colors } = look;
  return wrapped(look, `${colors.bold(cleanLine(pinned.bead.title))}  ${colors.dim(facts)}`).join("\n");
}

/** How it came out, below everything: the last line that a person reads, and the commands to go on. */
export function viewEnd(look: Look, run: RunDetails): string {
  const { colors } = look;
  const facts = [duration(Math.round(run.running_ms)), usageText(run.usage)].filter((fact) => fact !== "").join(" · ");
  switch (run.status) {
    case "completed":
      return `${colors.green("✓ completed")}  ${colors.dim(facts)}`;
    case "cancelled":
      return `${colors.dim("–")} cancelled  ${colors.dim(facts)}`;
    case "running":
      return `${colors.cyan("▸")} another process goes on with it\n${viewCommands(look, [[`clew run log ${run.id} -f`, "follow it"]]).join("\n")}`;
    case "interrupted":
      return viewInterrupted(look, run);
    default:
      return viewWait(look, run);
  }
}

/** Nobody drives the run any more; the step at hand is done again when it goes on. */
export function viewInterrupted(look: Look, { id, current, stopped }: RunDetails): string {
  const { colors } = look;
  const place = current ? ` at ${colors.bold(placeText(current))}, which is done again` : "";
  const commands = viewCommands(look, [
    [`clew run resume ${id}`, "go on"],
    [`clew run cancel ${id}`, "give it up"],
  ]);
  const what = stopped ? `⏸ stopped by a person (${stopped.reason})` : "⏸ interrupted";
  return [`${colors.yellow(cleanLine(what))}${place}`, ...commands].join("\n");
}
