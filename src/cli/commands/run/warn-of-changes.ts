import type { CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";

/** Warns of settings and files that changed since the run began: the run keeps the old ones. */
export async function warnOfChanges({ api, output }: Pick<CliContext, "api" | "output">, runId: string): Promise<void> {
  const { settings, files } = await api.runs.changedSince({ run: runId });
  const advice = "the run keeps its own (clew run cancel, then clew run, takes the new one)";
  for (const setting of settings) {
    output.say(cleanLine(`the setting ${setting} is another than when the run began; ${advice}`));
  }
  for (const { file, is_gone } of files) {
    const what = is_gone ? "is gone" : "changed since the run began";
    output.say(cleanLine(`${file} ${what}; ${advice}`));
  }
}
