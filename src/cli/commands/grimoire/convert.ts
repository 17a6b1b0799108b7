import { Option, type Command } from "commander";
import { grimoireForms, type ConvertedGrimoire } from "../../../contract/api/grimoire.ts";
import type { CliContext, JsonOption } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { noMerge } from "../../terminal/problem-view.ts";
import { wrapLines } from "../../terminal/wrap.ts";
import { formOfFile, type FormEnding } from "../../form-of-file.ts";
import { refuseTakenName } from "../taken-name.ts";
import { writeNewFile } from "../../write-new-file.ts";

interface ConvertOptions extends JsonOption {
  to?: ConvertedGrimoire["to"];
  output?: string;
}

const endings: readonly FormEnding<ConvertedGrimoire["to"]>[] = [
  { name: /\.md$/, forms: ["markup"] },
  { name: /\.ya?ml$/, forms: ["yaml"] },
];

export function defineConvert(grimoire: Command, context: CliContext): void {
  grimoire
    .command("convert")
    .description("Writes a grimoire as workflow markup, or a workflow as YAML, and says what that form cannot express.")
    .argument("<file>", "a file or a name")
    .addOption(
      new Option("--to <form>", "the form; without it as FILE ends, else the other one").choices(grimoireForms),
    )
    .option("-o, --output <file>", "write there, and not to stdout; a file that is there stays")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Loops, gates and merges exist in the grimoire form only; channels, text beside spells and past executions in markup
only. What is left out is told on stderr, one line each.

Examples:
  $ clew grimoire convert flow.yaml -o flow.md
  $ clew grimoire convert flow.md --to yaml`,
    )
    .action(async (file: string, { to, output, json }: ConvertOptions) => {
      const form = formOfFile(output, { option: "--to", form: to }, endings);
      const converted = await context.api.grimoires.convert({ grimoire: file, to: form });
      if (output !== undefined) await refuseTakenName(context, output, converted.name);
      if (output !== undefined) writeNewFile(context.cwd, output, converted.text);
      if (json) return context.output.writeJson(converted);
      if (output === undefined) await context.output.write(Buffer.from(converted.text));
      else await context.output.write(`Wrote ${cleanLine(output)}\n`);
      const losses = converted.losses.map(({ step, message }) =>
        cleanLine(`left out: ${step === undefined ? message : `${step}: ${message}`}`),
      );
      const way =
        converted.to === "yaml" ? "end it with a step of type: merge" : "a grimoire with a merge step does land";
      for (const line of [...losses, ...(converted.lands ? [] : [`note: ${noMerge}; ${way}`])]) {
        for (const piece of wrapLines(context.terminal.errorScreen, line)) context.output.say(piece);
      }
    });
}
