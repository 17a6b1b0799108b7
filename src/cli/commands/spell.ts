import { Command } from "commander";
import { ClewError } from "../../contract/errors.ts";
import type { Json } from "../../contract/grimoire.ts";
import { print, type CliContext, type JsonOption } from "../context.ts";
import { readJsonInput } from "../read-input.ts";
import { readVariable } from "../read-variable.ts";
import { cleanLine } from "../terminal/clean.ts";
import { table, type Column } from "../terminal/table.ts";
import { isObject } from "../../text/is-object.ts";

interface RenderOptions extends JsonOption {
  context?: string;
  var?: Record<string, Json>;
}

export function define(context: CliContext): Command {
  const spell = new Command("spell")
    .description("Spells: prompts as Markdown with Go's template language.")
    .addHelpText("after", "\nExample:\n  $ clew spell render review --context scope.json");
  spell
    .command("list")
    .description("Lists the spells of this repository and the built-in ones, with what they ask for.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew spell list")
    .action(async ({ json }: JsonOption) => {
      const list = await context.api.spells.list({});
      const rows = list.spells.map((each) => [
        cleanLine(each.name),
        each.origin,
        cleanLine(each.arguments.map(({ name, required }) => (required ? name : `[${name}]`)).join(" ")),
        cleanLine(each.problem ?? each.about),
      ]);
      await print(context.output, json, list, () => table(context.terminal, columns, rows));
    });
  spell
    .command("render")
    .description("Renders a spell over the data of a JSON file and prints the text, byte for byte.")
    .argument("<spell>", "the name of a spell in .clew/spells/ or built in, or a file")
    .option("-c, --context <file>", "JSON that the spell can ask for, - for stdin; {} without it")
    .option("--var <name=value>", "a variable over the context, JSON if it parses (repeatable)", readVariable)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The language is Go's text/template with include, json and default; docs/formats/spell.md describes it.

Examples:
  $ clew spell render review --context scope.json
  $ echo '{"bead": {"title": "x"}}' | clew spell render ./draft.md --context -`,
    )
    .action(async (target: string, { context: file, var: variables = {}, json }: RenderOptions) => {
      const scope = file === undefined ? {} : await readJsonInput(context.input, file, contextForm);
      const data = withVariables(scope as Json, variables);
      const result = await context.api.spells.render({ spell: target, data });
      await (json ? context.output.writeJson(result) : context.output.write(Buffer.from(result.text)));
    });
  return spell;
}

const columns: Column[] = [
  { title: "NAME", isId: true },
  { title: "FROM", givesWay: 1, least: 8 },
  { title: "ASKS FOR", givesWay: 2, least: 8 },
  { title: "WHAT", wraps: Infinity },
];

const contextForm = 'one JSON document, such as {"bead": {"title": "Fix it"}}';

function withVariables(data: Json, variables: Record<string, Json>): Json {
  if (Object.keys(variables).length === 0) return data;
  if (isObject(data)) return { ...data, ...variables };
  throw new ClewError("usage", "--var needs a context that is an object", "leave --var out, or wrap the data");
}
