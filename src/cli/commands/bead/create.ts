import type { Command } from "commander";
import type { NamedDependency } from "../../../app/beads.ts";
import { print, type CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { addFieldOptions, collect, readFields, type FieldOptions } from "./fields.ts";

interface CreateOptions extends FieldOptions {
  label?: string[];
  dep?: NamedDependency[];
  parent?: string;
}

export function defineCreate(bead: Command, context: CliContext): void {
  const create = bead
    .command("create")
    .description("Makes a bead and prints its id.")
    .argument("<title>", "what is to be done, in a line")
    .option("-l, --label <label>", "a label (repeatable)", collect)
    .option("--dep <[type:]id>", "a bead it waits for, or another relation to one (repeatable)", readDependency)
    .option("--parent <id>", "the bead it is a part of; the new id is PARENT.N");
  addFieldOptions(create)
    .addHelpText(
      "after",
      `
Without a type, a dependency is of the type blocks: the bead is not ready before the other one is closed.

Examples:
  $ clew bead create "Fix the login" -t bug -p 1 -l auth -d "It fails with an empty password."
  $ clew bead create "Test the login" --dep proj-a3f --dep discovered-from:proj-b2c
  $ ID=$(clew bead create "Write the release notes" --defer +2d)`,
    )
    .action(async (title: string, { label = [], dep = [], parent, ...options }: CreateOptions) => {
      const fields = await readFields(context, options);
      const beads = await context.beads();
      const { bead: made, warning } = await beads.create({
        title,
        ...fields,
        labels: label,
        dependencies: dep,
        ...(parent !== undefined && { parent }),
      });
      await print(context, options.json, { bead: made }, () => made.id);
      if (warning !== undefined) context.say(`warning: ${cleanLine(warning)}`);
      if (context.onTerminal && !options.json) {
        const { ready, standing } = beads.show(made.id);
        const next = ready
          ? `clew run ${made.id} works on it`
          : `it is not ready (${cleanLine(standing)}): clew bead dep tree ${made.id} shows why`;
        context.say(`  clew bead show ${made.id} shows it, ${next}`);
      }
    });
}

function readDependency(text: string, before: NamedDependency[] = []): NamedDependency[] {
  const at = text.indexOf(":");
  return [...before, at < 0 ? { type: "blocks", id: text } : { type: text.slice(0, at), id: text.slice(at + 1) }];
}
