import type { Runs } from "../../../app/runs.ts";
import type { ShownRun } from "../../../app/run-reading.ts";
import { OutputTail, type FailedOutput } from "../../terminal/run-tail.ts";

/** What failed where a run waits, in its own last words; undefined when it waits for something else. */
export async function tailOf(runs: Runs, { id, current, blocked_reason }: ShownRun): Promise<FailedOutput | undefined> {
  // A verdict is about the diff, not about what some step printed.
  const isVerdict = blocked_reason === "review" || blocked_reason === "rejected";
  if (blocked_reason === undefined || isVerdict || !current) return undefined;
  const tail = new OutputTail();
  for await (const line of runs.lines(id)) tail.add(line);
  return tail.failedAt(current.path);
}
