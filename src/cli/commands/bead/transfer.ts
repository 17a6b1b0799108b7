import type { Command } from "commander";
import type { BeadImportResult } from "../../../contract/api/bead-shapes.ts";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { readInputFile } from "../../read-input.ts";
import { writeNewFile } from "../../write-new-file.ts";
import { clean, cleanLine } from "../../terminal/clean.ts";
import { listFirst } from "../../../text/list-first.ts";
import { confirmStatus } from "./confirm-status.ts";

export function defineTransfer(bead: Command, context: CliContext): void {
  bead
    .command("import")
    .description(
      "Takes in beads as JSON lines: new ones, and newer ones of the same id. All, or none when a line is wrong.",
    )
    .argument("<file>", "the file, or - for stdin")
    .option("-y, --yes", "do not ask when a bead gets a status that its run, which is not over, does not make it")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
A bead whose run is not over, and that would be closed or deleted, say, is asked about; without a terminal nothing is
imported then unless --yes is given. The run stays.

Example:
  $ clew bead import others.jsonl`,
    )
    .action(async (file: string, { yes = false, json }: JsonOption & { yes?: boolean }) => {
      const lines = file === "-" ? await context.input.readStdin() : readInputFile(context.input, file);
      const request = { lines, place: file === "-" ? "stdin" : file };
      const changes = yes ? [] : (await context.api.beads.statusesAfterImport(request)).beads;
      for (const { id, status } of changes) await confirmStatus(context, id, { status, yes });
      const result = await context.api.beads.import(request);
      await print(context.output, json, result, () => viewImport(result));
    });

  bead
    .command("export")
    .description(
      "Prints all lines that stand there, deleted beads and other records too, or writes them to a new file.",
    )
    .argument("[file]", "the file; without it, stdout")
    .option("--json", "print JSON lines, which it does anyway")
    .addHelpText("after", "\nExample:\n  $ clew bead export all.jsonl")
    .action(async (file: string | undefined) => {
      const { lines, unreadable } = await context.api.beads.export({});
      const text = lines.map((each) => `${each}\n`).join("");
      if (file === undefined || file === "-") await context.output.write(Buffer.from(text));
      else writeNewFile(context.cwd, file, text);
      for (const { place, reason } of unreadable)
        context.output.say(`warning: left out ${clean(`${place}: ${reason}`)}`);
      if (unreadable.length > 0) context.exitCode = 1;
    });
}

function viewImport({ added, updated, left, passed_over: others, ids }: BeadImportResult): string {
  const rest = others === 0 ? "" : `, ${others} other records passed over`;
  const idLines = Object.entries(ids).flatMap(([what, all]) =>
    all.length === 0 ? [] : [`  ${what.padEnd(7)} ${cleanLine(listFirst(all, 10))}`],
  );
  return [`${added} added, ${updated} updated, ${left} left as they were${rest}`, ...idLines].join("\n");
}
