import type { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { viewTree } from "../../terminal/bead-tree-view.ts";

export function defineDep(bead: Command, context: CliContext): void {
  const dep = bead
    .command("dep")
    .description("What waits for what.")
    .addHelpText("after", "\nExample:\n  $ clew bead dep add a3f b2c        a3f waits for b2c");

  dep
    .command("add")
    .description("The first bead depends on the second; it is not ready before that one is closed.")
    .argument("<child>", "the bead that waits")
    .argument("<parent>", "the bead it waits for")
    .option(
      "--type <type>",
      "blocks, conditional-blocks, waits-for, parent-child, related, discovered-from …",
      "blocks",
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ clew bead dep add a3f b2c\n  $ clew bead dep add a3f c4d --type parent-child",
    )
    .action(async (child: string, parent: string, { type, json }: JsonOption & { type: string }) => {
      const result = await context.api.beads.addDependency({ child, parent, type });
      await print(context.output, json, result, () => `${result.bead.id} now depends on ${result.target} (${type})`);
    });

  dep
    .command("remove")
    .description("The first bead no longer depends on the second.")
    .argument("<child>", "the bead that waits")
    .argument("<parent>", "the bead it waits for")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead dep remove a3f b2c")
    .action(async (child: string, parent: string, { json }: JsonOption) => {
      const result = await context.api.beads.removeDependency({ child, parent });
      await print(context.output, json, result, () => `${result.bead.id} no longer depends on ${result.target}`);
    });

  dep
    .command("tree")
    .description("Draws what a bead waits for and contains.")
    .argument("<id>", "the bead")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead dep tree a3f")
    .action((name: string, { json }: JsonOption) => draw(context, name, true, json));

  bead
    .command("graph")
    .description("Draws what waits for what: of one bead, or of all that are not closed.")
    .argument("[id]", "the bead to begin with")
    .option("--all", "closed ones too")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead graph")
    .action((name: string | undefined, { all = name !== undefined, json }: JsonOption & { all?: boolean }) =>
      draw(context, name, all, json),
    );
}

async function draw(context: CliContext, bead: string | undefined, all: boolean, json?: boolean): Promise<void> {
  const graph = await context.api.beads.graph({ bead, all });
  await print(context.output, json, graph, () => viewTree(context.terminal, graph.lines));
}
