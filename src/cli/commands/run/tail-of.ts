import type { Runs } from "../../../app/runs.ts";
import type { ShownRun } from "../../../app/run-reading.ts";
import { lastLines, OutputTail, type FailedOutput } from "../../terminal/run-tail.ts";

/** What failed where a run waits, in its own last words; undefined when it waits for something else. */
export async function tailOf(runs: Runs, run: ShownRun): Promise<FailedOutput | undefined> {
  const { id, current, blocked_reason, blocked_context: context } = run;
  // A verdict is about the diff, not about what some step printed.
  const isVerdict = blocked_reason === "review" || blocked_reason === "rejected";
  if (blocked_reason === undefined || isVerdict || !current) return undefined;
  const tail = new OutputTail();
  for await (const line of runs.lines(id)) tail.add(line);
  const given = context && typeof context.output === "string" ? context.output : "";
  const told: FailedOutput | undefined =
    given === "" ? undefined : { ...(context?.step ?? current), text: lastLines(given), files: [] };
  // What a person asked for was printed by nobody.
  const isAsked = typeof context?.outputs === "object" && context.outputs !== null && "changes" in context.outputs;
  return isAsked ? told : (tail.failedAt(current.path) ?? told);
}
