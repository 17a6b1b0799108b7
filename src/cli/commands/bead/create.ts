import type { Command } from "commander";
import type { NamedDependency } from "../../../contract/api/bead-shapes.ts";
import { beadStatusOf } from "../../../contract/bead.ts";
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
  $ clew bead create "Fix the login" -t bug -p 1 -d "Fails without a password."
  $ clew bead create "Test the login" --dep a3f --dep discovered-from:b2c
  $ ID=$(clew bead create "Write the release notes" --defer +2d)`,
    )
    .action(async (title: string, { label = [], dep = [], parent, ...options }: CreateOptions) => {
      const fields = await readFields(context.input, options);
      const standing = context.terminal.onTerminal && options.json !== true;
      const request = { title, ...fields, labels: label, dependencies: dep, parent, standing };
      const result = await context.api.beads.create(request);
      const { id } = result.bead;
      await print(context.output, options.json, result, () => id);
      if (result.warning !== undefined) context.output.say(`warning: ${cleanLine(result.warning)}`);
      if (result.standing === undefined) return;
      const next =
        result.standing === beadStatusOf(result.bead)
          ? `clew run ${id} works on it`
          : `it is not ready (${cleanLine(result.standing)}): clew bead dep tree ${id} shows why`;
      context.output.say(`  clew bead show ${id} shows it, ${next}`);
    });
}

function readDependency(text: string, earlier: NamedDependency[] = []): NamedDependency[] {
  const at = text.indexOf(":");
  return [...earlier, at < 0 ? { type: "blocks", id: text } : { type: text.slice(0, at), id: text.slice(at + 1) }];
}
