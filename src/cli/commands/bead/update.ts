import type { Command } from "commander";
import { beadStatusOf, type Bead } from "../../../contract/bead.ts";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { confirmStatus } from "./confirm-status.ts";
import { addFieldOptions, collect, readFields, type FieldOptions } from "./fields.ts";

interface UpdateOptions extends FieldOptions {
  title?: string;
  status?: string;
  reason?: string;
  addLabel?: string[];
  removeLabel?: string[];
  yes?: boolean;
}

export function defineUpdate(bead: Command, context: CliContext): void {
  const update = bead
    .command("update")
    .description("Changes fields of a bead; an empty value takes a field away.")
    .argument("<id>", "the bead")
    .option("--title <text>", "what is to be done, in a line")
    .option("-s, --status <status>", "open, in_progress, blocked, deferred, closed, pinned or hooked")
    .option("-r, --reason <text>", "why it is closed, with --status closed")
    .option("--add-label <label>", "a label to add (repeatable)", collect)
    .option("--remove-label <label>", "a label to take away (repeatable)", collect)
    .option("-y, --yes", "do not ask when --status is not what the bead's run, which is not over, makes it");
  addFieldOptions(update)
    .addHelpText(
      "after",
      `
Examples:
  $ clew bead update a3f --status in_progress --assignee me
  $ clew bead update a3f -p 0 --add-label urgent --due +2d
  $ clew bead update a3f --status open            takes up a closed one again`,
    )
    .action(async (name: string, options: UpdateOptions) => {
      const { title, status, reason, addLabel = [], removeLabel = [], yes = false, json, ...fields } = options;
      if (Object.keys(options).every((each) => each === "json" || each === "yes")) {
        throw new ClewError("usage", "nothing to change", "clew bead update --help shows what can be");
      }
      if (reason !== undefined && status !== "closed") {
        const hint = "add --status closed, or use clew bead close ID -r TEXT";
        throw new ClewError("usage", "a reason is for closing", hint);
      }
      let despite_run: boolean | undefined;
      if (status !== undefined) {
        const { id } = await context.api.beads.find({ bead: name });
        despite_run = await confirmStatus(context, id, { status, yes });
      }
      const result = await context.api.beads.update({
        bead: name,
        fields: { ...(title !== undefined && { title }), ...(await readFields(context.input, fields)) },
        add_labels: addLabel,
        remove_labels: removeLabel,
        status,
        reason,
        despite_run,
      });
      await print(context.output, json, result, () => viewUpdated(result.bead));
    });
}

function viewUpdated(bead: Bead): string {
  return cleanLine(`Updated ${bead.id}  ${beadStatusOf(bead)}  ${bead.title}`);
}
