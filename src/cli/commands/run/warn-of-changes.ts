import type { CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";

/** Whoever mended a file of the grimoire and goes on with the run should know that the run does not see it. */
export async function warnOfChanges(context: CliContext, runId: string): Promise<void> {
  const { settings, files } = await context.api.runs.changedSince({ run: runId });
  const keeps = "the run keeps its own (clew run cancel, then clew run, takes the new one)";
  for (const setting of settings) {
    context.say(cleanLine(`the setting ${setting} is another than when the run began; ${keeps}`));
  }
  for (const { file, is_gone } of files) {
    const what = is_gone ? "is gone" : "changed since the run began";
    context.say(cleanLine(`${file} ${what}; ${keeps}`));
  }
}
