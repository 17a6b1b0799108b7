import { Command } from "commander";
import { print, type CliContext } from "../context.ts";
import { viewPruned, viewWorktrees } from "../terminal/worktree-view.ts";

export function define(context: CliContext): Command {
  const worktree = new Command("worktree")
    .description("The worktrees in which runs work: .worktrees/BEAD-ID, each on a branch of its own.")
    .addHelpText("after", "\nExamples:\n  $ clew worktree list\n  $ clew worktree prune --dry-run");
  worktree
    .command("list")
    .description("Lists the worktrees of runs, with what is in them and nowhere else.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew worktree list")
    .action(async ({ json }: { json?: boolean }) => {
      const app = await context.open();
      const worktrees = await (await app.worktrees()).list();
      await print(context, json, { worktrees }, () => viewWorktrees(context, worktrees, app.root));
    });
  worktree
    .command("prune")
    .description(
      "Removes worktrees whose run is over, when git sees nothing in them that is not elsewhere; what git ignores goes with them. Tells why others stay.",
    )
    .option("--dry-run", "only tell what would go")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew worktree prune --dry-run")
    .action(async ({ dryRun = false, json }: { dryRun?: boolean; json?: boolean }) => {
      const app = await context.open();
      const pruned = await (await app.worktrees()).prune({ dryRun });
      await print(context, json, pruned, () => viewPruned(context, pruned, app.root));
    });
  return worktree;
}
