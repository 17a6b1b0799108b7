import type { Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import type { CliContext } from "../../context.ts";
import { clean, jsonText } from "../../terminal/clean.ts";
import { paintDiff, viewOffer } from "../../terminal/merge-view.ts";

interface DiffOptions {
  stat?: boolean;
  json?: boolean;
}

export function defineDiff(run: Command, context: CliContext): void {
  run
    .command("diff")
    .description("Shows what a run would merge, or has merged: a summary per file, and the whole diff.")
    .argument("<id>", "the run's id, a unique prefix, its bead, or latest")
    .argument("[path...]", "only these files, below the repository's root")
    .option("--stat", "the summary alone")
    .option("--json", "print JSON: the heads and tree that an approval is bound to, the files, and the diff")
    .addHelpText("after", help)
    .action(async (name: string, path: string[], { stat = false, ...options }: DiffOptions) => {
      const runs = await context.runs();
      const runId = runs.find(name);
      const json = options.json ?? run.opts<DiffOptions>().json ?? false;
      const { offers, diff, untracked } = await runs.diff(runId, path);
      if (path.length > 0 && diff.length === 0) refuseUnchanged(path, runId);
      const text = (): string => Buffer.from(diff).toString("utf8");
      if (json) {
        const merge = offers.at(-1) ?? null;
        return context.write(`${jsonText({ run_id: runId, merge, merges: offers, diff: text(), untracked })}\n`);
      }
      // Who reads the diff in a pipe wants what git prints: `git apply` takes it.
      if (!context.onTerminal && !context.colors.enabled && !stat) return context.write(diff);
      const { branch } = runs.show(runId);
      const summary = offers.map((offer) => `${viewOffer(context, offer, { branch, path })}\n`).join("");
      if (offers.length === 0)
        context.say(`run ${runId} offers nothing yet: this is its worktree against what it started from`);
      if (untracked.length > 0) context.say(clean(`in no commit yet: ${untracked.join(", ")}`));
      const whole = !stat && diff.length > 0 ? `\n${paintDiff(context.colors, text())}` : "";
      await context.page(summary + whole);
    });
}

function refuseUnchanged(path: string[], runId: string): never {
  throw new ClewError(
    "invalid_input",
    `the run changes nothing at ${path.join(", ")}`,
    `clew run diff ${runId} --stat lists what it changes`,
  );
}

const help = `
Examples:
  $ clew run diff proj-a3f
  $ clew run diff proj-a3f --stat
  $ clew run diff proj-a3f src/login.ts
  $ clew run diff proj-a3f | less       # in a pipe: the diff alone, as git prints it`;
