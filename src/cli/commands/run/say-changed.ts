import type { Runs } from "../../../app/runs.ts";
import type { CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";

/** Whoever mended a file of the grimoire and goes on with the run should know that the run does not see it. */
export async function sayChanged(context: CliContext, runs: Runs, runId: string): Promise<void> {
  const pinned = runs.isUnfinished(runId) ? runs.pinned(runId) : undefined;
  if (!pinned) return;
  for (const { file, isGone } of await (await context.definitions()).grimoires.changedSince(pinned)) {
    const what = isGone ? "is gone" : "changed since the run began";
    context.say(
      cleanLine(`${file} ${what}; the run keeps its own (clew run cancel, then clew run, takes the new one)`),
    );
  }
}
