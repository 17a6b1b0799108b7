import { Command } from "commander";
import type { CliContext } from "../context.ts";
import { addSubcommands, type CommandGroup } from "../subcommands.ts";

const groups: CommandGroup[] = [
  { names: ["create"], load: async () => (await import("./bead/create.ts")).defineCreate },
  { names: ["list", "ready"], load: async () => (await import("./bead/list.ts")).defineList },
  { names: ["show"], load: async () => (await import("./bead/show.ts")).defineShow },
  { names: ["update"], load: async () => (await import("./bead/update.ts")).defineUpdate },
  { names: ["close", "reopen"], load: async () => (await import("./bead/close.ts")).defineClose },
  { names: ["delete"], load: async () => (await import("./bead/delete.ts")).defineDelete },
  { names: ["dep", "graph"], load: async () => (await import("./bead/dep.ts")).defineDep },
  { names: ["import", "export"], load: async () => (await import("./bead/transfer.ts")).defineTransfer },
];

export async function define(context: CliContext, words?: string[]): Promise<Command> {
  const bead = new Command("bead")
    .description("Beads: tasks with priorities and dependencies, one a line in .beads/issues.jsonl.")
    .addHelpText(
      "after",
      `
Examples:
  $ clew bead create "Fix the login" -t bug -p 1 -l auth
  $ clew bead ready
  $ clew bead dep add proj-a3f proj-b2c
  $ clew bead close proj-a3f -r "Fixed with a test"
  $ clew bead reopen proj-a3f

A bead is named by its id, or by a beginning of it that fits only one, with or without the prefix: a3f.
Parts of another bead are named in full: a3f.2.`,
    );
  return addSubcommands(bead, context, groups, words?.[0]);
}
