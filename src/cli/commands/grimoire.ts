import { Command } from "commander";
import type { ListedGrimoire } from "../../contract/api/grimoire.ts";
import { print, type CliContext, type JsonOption } from "../context.ts";
import { defineConvert } from "./grimoire/convert.ts";
import { defineHistory } from "./grimoire/history.ts";
import { readVariable } from "../read-variable.ts";
import type { StartOptions } from "./run.ts";
import { cleanLine } from "../terminal/clean.ts";
import { viewChecked } from "../terminal/problem-view.ts";
import { count } from "../terminal/words.ts";
import { table, type Column } from "../terminal/table.ts";

export function define(context: CliContext): Command {
  const grimoire = new Command("grimoire")
    .description(
      "Grimoires: workflows of agent, script, loop and merge steps over one bead, as YAML or as workflow markup.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ clew grimoire list
  $ clew grimoire preview implement-bead --bead proj-a3f
  $ clew grimoire show implement-bead > .clew/grimoires/mine.yaml
  $ clew grimoire convert .clew/grimoires/mine.yaml -o mine.md

Yours stand in .clew/grimoires/ and go before built-in ones of the same name.`,
    );
  defineList(grimoire, context);
  defineShow(grimoire, context);
  defineValidate(grimoire, context);
  definePreview(grimoire, context);
  defineConvert(grimoire, context);
  defineHistory(grimoire, context);
  defineSchema(grimoire, context);
  return grimoire;
}

const columns: Column[] = [
  { title: "NAME", isId: true },
  { title: "FROM", givesWay: 1, least: 8, isPath: true },
  { title: "STEPS", align: "right", givesWay: 2 },
  { title: "WHAT", wraps: Infinity },
];

function defineList(grimoire: Command, context: CliContext): void {
  grimoire
    .command("list")
    .description("Lists the grimoires of this repository and the built-in ones.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew grimoire list")
    .action(async ({ json }: JsonOption) => {
      const list = await context.api.grimoires.list({});
      await print(context.output, json, list, () =>
        table(
          context.terminal,
          columns,
          list.grimoires.map((each) => [
            cleanLine(each.name),
            originText(each),
            String(each.steps ?? "-"),
            aboutText(each),
          ]),
        ),
      );
    });
}

function originText({ origin, file, overridden }: ListedGrimoire): string {
  const place = origin === "built-in" ? origin : file;
  return overridden ? `${place}, overridden` : place;
}

function aboutText({ description, errors, file }: ListedGrimoire): string {
  if (errors === 0) return cleanLine(description ?? "").trim();
  return `${count(errors, "error")}: clew grimoire validate ${file}`;
}

function defineShow(grimoire: Command, context: CliContext): void {
  grimoire
    .command("show")
    .description("Prints a grimoire as it is written.")
    .argument("<name>", "its name, or the path of a file")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew grimoire show implement-bead")
    .action(async (name: string, { json }: JsonOption) => {
      const details = await context.api.grimoires.show({ grimoire: name });
      await print(context.output, json, details, () => details.text.replaceAll("\r\n", "\n"));
    });
}

function defineValidate(grimoire: Command, context: CliContext): void {
  grimoire
    .command("validate")
    .description("Checks a grimoire and its spells, or all of them: form, templates, variables, shell.")
    .argument("[file]", "a file or a name; without it, every grimoire there is")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew grimoire validate .clew/grimoires/mine.yaml")
    .action(async (file: string | undefined, { json }: JsonOption) => {
      const report = await context.api.grimoires.validate({ grimoire: file });
      if (!report.valid) context.exitCode = 2;
      await print(context.output, json, report, () => viewChecked(context.terminal, report.grimoires));
    });
}

function definePreview(grimoire: Command, context: CliContext): void {
  grimoire
    .command("preview")
    .description("Shows what a run would do, step by step, and runs nothing.")
    .argument("[grimoire]", "a name or a file; without it, the one that the bead asks for")
    .requiredOption("-b, --bead <id>", "the bead to work on")
    .option("--engine <name>", "the engine of all agent steps, as for clew run")
    .option("--target <branch>", "the branch to work from and merge into, as for clew run")
    .option("--var <name=value>", "a variable, JSON if it parses (repeatable)", readVariable)
    .option("--anyway", "although the bead waits for others, as for clew run")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
What only exists in the run stands as ⟨name: type⟩. Exits with 2 when something is wrong, or when clew run
would refuse to begin; what only git can tell (who commits, room for a worktree) is left to clew run and clew doctor.

Examples:
  $ clew grimoire preview implement-bead --bead proj-a3f
  $ clew grimoire preview --bead proj-a3f --engine scripted --json`,
    )
    .action(
      async (
        grimoireName: string | undefined,
        { var: variables = {}, json, ...options }: StartOptions & { bead: string },
      ) => {
        const preview = await context.api.grimoires.preview({ grimoire: grimoireName, variables, ...options });
        if (!preview.valid) context.exitCode = 2;
        const { viewPreview } = await import("../terminal/preview-view.ts");
        await print(context.output, json, preview, () => viewPreview(context.terminal, preview));
      },
    );
}

function defineSchema(grimoire: Command, context: CliContext): void {
  grimoire
    .command("schema")
    .description("Prints the JSON Schema of grimoires, for editors.")
    .option("--json", "print JSON, which it does anyway")
    .addHelpText(
      "after",
      `
Example:
  $ clew grimoire schema > .clew/grimoire.schema.json

An editor with a YAML language server reads it when the file begins with
  # yaml-language-server: $schema=../grimoire.schema.json`,
    )
    .action(async () => {
      const schema = await context.api.grimoires.schema({});
      await context.output.write(`${JSON.stringify(schema, null, 2)}\n`);
    });
}
