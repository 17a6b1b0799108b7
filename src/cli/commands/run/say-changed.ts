import { resolve } from "node:path";
import type { Runs } from "../../../app/runs.ts";
import type { PinnedRun } from "../../../contract/run.ts";
import type { CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";

/** Whoever mended a file of the grimoire and goes on with the run should know that the run does not see it. */
export async function sayChanged(context: CliContext, runs: Runs, runId: string): Promise<void> {
  const pinned = runs.isUnfinished(runId) ? runs.pinned(runId) : undefined;
  if (!pinned) return;
  const keeps = "the run keeps its own (clew run cancel, then clew run, takes the new one)";
  for (const setting of await changedSettings(context, pinned)) {
    context.say(cleanLine(`the setting ${setting} is another than when the run began; ${keeps}`));
  }
  for (const { file, isGone } of await (await context.definitions()).grimoires.changedSince(pinned)) {
    const what = isGone ? "is gone" : "changed since the run began";
    context.say(cleanLine(`${file} ${what}; ${keeps}`));
  }
}

/** Those that a failed step most often asks for. */
async function changedSettings(context: CliContext, { settings, worktree }: PinnedRun): Promise<string[]> {
  const { root, settings: now } = await context.open();
  const named = context.env["CLEW_SCRIPT"];
  const script = named ? resolve(context.cwd, named) : now.engines.scripted?.script;
  const isOther = script !== undefined && resolve(root, script) !== settings.script;
  return [
    ...(isOther ? [named ? "CLEW_SCRIPT" : "engines.scripted.script"] : []),
    ...(worktree && worktree.setup !== now.worktree.setup ? ["worktree.setup"] : []),
  ];
}
