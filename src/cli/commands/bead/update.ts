import type { Command } from "commander";
import { statusOf, type Bead } from "../../../contract/bead.ts";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { confirmStatus } from "./confirm-status.ts";
import { idsOf } from "./ids-of.ts";
import { addFieldOptions, collect, readFields, type FieldOptions } from "./fields.ts";

interface UpdateOptions extends FieldOptions {
  title?: string;
  status?: string;
  reason?: string;
  addLabel?: string[];
  removeLabel?: string[];
  yes?: boolean;
}

interface CloseOptions {
  reason?: string;
  yes?: boolean;
  json?: boolean;
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
        throw new ClewError(
          "usage",
          "a reason is for closing",
          "add --status closed, or use clew bead close ID -r TEXT",
        );
      }

      if (status !== undefined) {
        const { id } = await context.api.beads.find({ bead: name });
        await confirmStatus(context, id, { status, yes });
      }
      const updated = await context.api.beads.update({
        bead: name,
        fields: { ...(title !== undefined && { title }), ...(await readFields(context, fields)) },
        add_labels: addLabel,
        remove_labels: removeLabel,
        status,
        reason,
      });
      await print(context, json, updated, () => `Updated ${line(updated.bead)}`);
    });

  bead
    .command("close")
    .description("Closes beads. With --json prints {bead}, or {beads} for several.")
    .argument("<id...>", "the beads")
    .option("-r, --reason <text>", "why, or how it came out")
    .option("-y, --yes", "do not ask when a run of the bead is not over")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
A bead whose run is not over is asked about; without a terminal it is refused unless --yes is given. The run stays.

Example:
  $ clew bead close a3f -r "Fixed with a test"`,
    )
    .action(async (names: string[], { reason, yes = false, json }: CloseOptions) => {
      // A misspelt one, or one that is still worked on, must not leave half of them closed.
      const ids = await idsOf(context, names);
      for (const id of ids) await confirmStatus(context, id, { status: "closed", yes });
      const closed: { bead: Bead; changed: boolean }[] = [];
      for (const id of ids) closed.push(await context.api.beads.close({ bead: id, reason }));
      const document = names.length === 1 ? closed[0]! : { beads: closed.map((each) => each.bead) };
      await print(context, json, document, () =>
        closed
          .map(({ bead: { id }, changed }) =>
            changed ? `Closed ${cleanLine(id)}` : `${cleanLine(id)} is already closed`,
          )
          .join("\n"),
      );
    });
}

function line(bead: Bead): string {
  return cleanLine(`${bead.id}  ${statusOf(bead)}  ${bead.title}`);
}
