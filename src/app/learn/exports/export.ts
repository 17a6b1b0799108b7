import type { ExportItem, ExportSummary } from "../../../contract/api/learn.ts";
import { ClewError } from "../../../contract/errors.ts";
import { noCounts } from "../case-stream.ts";
import type { LearnParts } from "../ports.ts";
import type { ExportRequest } from "./export-request.ts";
import { exportText } from "./text-export.ts";

/** Begins an export. Refuses what cannot be written before anything is read. */
export async function startExport(parts: LearnParts, request: ExportRequest): Promise<AsyncGenerator<ExportItem>> {
  const { format, output, type, image, check } = request;
  const usage = (message: string, hint: string): ClewError => new ClewError("usage", message, hint);
  if (format === "jsonl" && type === undefined && output === undefined)
    throw usage(
      "puzzles and corrections have lines of different forms, and are never mixed",
      "give --type puzzle or --type correction; with -o FILE each of them gets a file of its own",
    );
  if (format === "harbor" && output === undefined)
    throw usage("tasks are folders, and need a place", "give -o FOLDER, one that is not there yet");
  if (format === "harbor" && type === "correction")
    throw usage("a correction is no task: only failures that a command shows are", "leave --type out");
  if (format === "atif" && type !== undefined)
    throw usage("trajectories are whole sessions, whatever cases they hold", "leave --type out");
  if (format !== "harbor" && (image !== undefined || check !== undefined))
    throw usage("--image and --check are of --export harbor", "leave them out");
  const summary: ExportSummary = { format, files: [], written: 0, left_out: [], counts: noCounts() };
  if (format === "harbor") return (await import("./harbor-export.ts")).exportTasks(parts, request, summary);
  if (format === "atif") return (await import("./atif-export.ts")).exportTrajectories(parts, request, summary);
  return exportText(parts, request, summary);
}
