import type { Command } from "commander";
import { print, type CliContext } from "../../context.ts";
import { viewTree } from "../../terminal/bead-tree-view.ts";

interface JsonOption {
  json?: boolean;
}

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
      const added = await context.api.beads.addDependency({ child, parent, type });
      await print(context, json, added, () => `${added.bead.id} now depends on ${added.target} (${type})`);
    });

  dep
    .command("remove")
    .description("The first bead no longer depends on the second.")
    .argument("<child>", "the bead that waits")
    .argument("<parent>", "the bead it waits for")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead dep remove a3f b2c")
    .action(async (child: string, parent: string, { json }: JsonOption) => {
      const removed = await context.api.beads.removeDependency({ child, parent });
      await print(context, json, removed, () => `${removed.bead.id} no longer depends on ${removed.target}`);
    });

  dep
    .command("tree")
    .description("Draws what a bead waits for and contains.")
    .argument("<id>", "the bead")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead dep tree a3f")
    .action((name: string, { json }: JsonOption) => draw(context, name, { all: true, json: json === true }));

  bead
    .command("graph")
    .description("Draws what waits for what: of one bead, or of all that are not closed.")
    .argument("[id]", "the bead to begin with")
    .option("--all", "closed ones too")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead graph")
    .action((name: string | undefined, { all = name !== undefined, json }: JsonOption & { all?: boolean }) =>
      draw(context, name, { all, json: json === true }),
    );
}

async function draw(
  context: CliContext,
  name: string | undefined,
  options: JsonOption & { all: boolean },
): Promise<void> {
  const graph = await context.api.beads.graph({ bead: name, all: options.all });
  await print(context, options.json, graph, () => viewTree(context, graph.lines));
}
