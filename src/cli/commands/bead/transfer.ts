import { writeFileSync } from "node:fs";
import type { Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext } from "../../context.ts";
import { readInput } from "../../read-input.ts";
import { clean } from "../../terminal/clean.ts";

export function defineTransfer(bead: Command, context: CliContext): void {
  bead
    .command("import")
    .description(
      "Takes in beads as JSON lines: new ones, and newer ones of the same id. All, or none when a line is wrong.",
    )
    .argument("<file>", "the file, or - for stdin")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead import others.jsonl")
    .action(async (file: string, { json }: { json?: boolean }) => {
      const text = await readInput(context, file);
      const result = await (await context.beads()).import(text, file === "-" ? "stdin" : file);
      const { added, updated, left, passed_over: others } = result;
      await print(context, json, result, () => {
        const rest = others === 0 ? "" : `, ${others} other records passed over`;
        return `${added} added, ${updated} updated, ${left} left as they were${rest}`;
      });
    });

  bead
    .command("export")
    .description("Prints all beads as JSON lines, or writes them to a new file.")
    .argument("[file]", "the file; without it, stdout")
    .option("--json", "print JSON lines, which it does anyway")
    .addHelpText("after", "\nExample:\n  $ clew bead export all.jsonl")
    .action(async (file: string | undefined) => {
      const { beads, unreadable } = (await context.beads()).export();
      const text = beads.map((each) => `${JSON.stringify(each)}\n`).join("");
      if (file === undefined || file === "-") await context.write(text);
      else writeNew(file, text);
      for (const { place, reason } of unreadable) context.say(`warning: left out ${clean(`${place}: ${reason}`)}`);
      if (unreadable.length > 0) context.exitCode = 1;
    });
}

function writeNew(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? `${file} is there already` : `cannot write ${file}: ${message}`;
    throw new ClewError("invalid_input", why, "name a file that is not there, in a folder that is", { cause: error });
  }
}
