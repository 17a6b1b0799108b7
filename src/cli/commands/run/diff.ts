import type { Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import type { CliContext, JsonOption } from "../../context.ts";
import { clean } from "../../terminal/clean.ts";
import { paintDiff, viewOffer } from "../../terminal/merge-view.ts";

export function defineDiff(run: Command, context: CliContext): void {
  run
    .command("diff")
    .description("Shows what a run would merge, or has merged: a summary per file, and the whole diff.")
    .argument("<id>", "the run's id, a unique prefix, its bead, or latest")
    .argument("[path...]", "only these files, below the repository's root")
    .option("--stat", "the summary alone")
    .option("--json", "print JSON: the heads and tree that an approval is bound to, the files, and the diff")
    .addHelpText("after", help)
    .action(async (name: string, path: string[], { stat = false, ...options }: JsonOption & { stat?: boolean }) => {
      const json = options.json ?? run.opts<JsonOption>().json ?? false;
      const result = await context.api.runs.diff({ run: name, paths: path });
      const { run_id: runId, merges, diff, diff_base64, untracked } = result;
      if (path.length > 0 && diff === "") refuseUnchanged(path, runId);
      if (json) return context.output.writeJson(result);
      // In a pipe, the diff is exactly what git prints, so that `git apply` takes it.
      if (!context.terminal.onTerminal && !context.terminal.colors.enabled && !stat) {
        return context.output.write(diff_base64 === undefined ? Buffer.from(diff) : Buffer.from(diff_base64, "base64"));
      }
      const { branch, status, actions = [] } = (await context.api.runs.show({ run: runId })).run;
      const summary = merges.map((offer) => `${viewOffer(context.terminal, offer, { branch, path })}\n`).join("");
      if (merges.length === 0)
        context.output.say(`run ${runId} offers nothing yet: this is its worktree against what it started from`);
      if (untracked.length > 0) context.output.say(clean(`in no commit yet: ${untracked.join(", ")}`));
      const diffText = !stat && diff !== "" ? `\n${paintDiff(context.terminal.colors, diff)}` : "";
      await context.output.page(summary + diffText);
      // The commands that answer the offer, each on a line of its own to copy.
      if (status === "pending_merge") context.output.say(actions.join("\n"));
    });
}

function refuseUnchanged(path: string[], runId: string): never {
  const message = `the run changes nothing at ${path.join(", ")}`;
  throw new ClewError("invalid_input", message, `clew run diff ${runId} --stat lists what it changes`);
}

const help = `
Examples:
  $ clew run diff proj-a3f
  $ clew run diff proj-a3f --stat
  $ clew run diff proj-a3f src/login.ts
  $ clew run diff proj-a3f | less    # in a pipe: the diff alone, as git has it`;
