import { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../context.ts";
import { afterOption, limitOption, pageText, type PageOptions } from "../paging.ts";
import { viewPruned, viewRemoved, viewWorktrees } from "../terminal/worktree-view.ts";

export function define(context: CliContext): Command {
  const worktree = new Command("worktree")
    .description("The worktrees in which runs work: .worktrees/BEAD-ID, each on a branch of its own.")
    .addHelpText(
      "after",
      "\nExamples:\n  $ clew worktree list\n  $ clew worktree prune --dry-run\n  $ clew worktree remove proj-a3f",
    );
  worktree
    .command("list")
    .description("Lists the worktrees of runs, with what is in them and nowhere else.")
    .addOption(limitOption())
    .addOption(afterOption())
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew worktree list")
    .action(async ({ json, ...page }: JsonOption & PageOptions) => {
      const list = await context.api.worktrees.list(page);
      const { root } = await context.api.repository.show({});
      await print(context.output, json, list, () =>
        pageText(context.terminal, { count: list.worktrees.length, after: page.after, next: list.next }, () =>
          viewWorktrees(context.terminal, list.worktrees, root),
        ),
      );
    });
  worktree
    .command("prune")
    .description(
      "Removes worktrees whose run is over, when git sees nothing in them that is not elsewhere; what git ignores goes with them. Tells why others stay.",
    )
    .option("--dry-run", "only tell what would go")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew worktree prune --dry-run")
    .action(async ({ dryRun = false, json }: JsonOption & { dryRun?: boolean }) => {
      const result = await context.api.worktrees.prune({ dry_run: dryRun });
      const { root } = await context.api.repository.show({});
      await print(context.output, json, result, () => viewPruned(context.terminal, result, root));
    });
  worktree
    .command("remove")
    .description("Removes the worktree of a run that is over, with its branch.")
    .argument("<id>", "the run, its bead, or the worktree's folder")
    .option("--force", "also with what is not committed, or in no other branch")
    .option("--json", "print JSON: {removed}")
    .addHelpText(
      "after",
      `
A run that is not over keeps its worktree: clew run cancel ID gives it up first. Without --force nothing goes that is nowhere
else. Where a worktree was removed by hand, this removes the branch that it left.

Examples:
  $ clew worktree remove proj-a3f
  $ clew worktree remove 2026-11-15-proj-a3f --force`,
    )
    .action(async (name: string, { force = false, json }: JsonOption & { force?: boolean }) => {
      const result = await context.api.worktrees.remove({ worktree: name, force });
      const { root } = await context.api.repository.show({});
      await print(context.output, json, result, () => viewRemoved(result.removed, root));
    });
  return worktree;
}
