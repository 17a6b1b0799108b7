import { Option, type Command } from "commander";
import { formOfFile } from "../../form-of-file.ts";
import { refuseTakenName } from "../taken-name.ts";
import { codifyFormats, type CodifyFormat } from "../../../contract/codify-values.ts";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext } from "../../context.ts";
import { refuseUnwritable } from "../../write-new-file.ts";
import {
  codifyEndings,
  nameFromFile,
  refuseInvalid,
  savedText,
  saveWorkflow,
  sayNotes,
  sayProblems,
  type CodifyOptions,
} from "./codify-output.ts";
import { resolveSessionName, sessionOption } from "./session-name.ts";

type GivenOptions = Omit<CodifyOptions, "format"> & { format?: CodifyFormat };

export function defineCodify(session: Command, context: CliContext): void {
  session
    .command("codify")
    .description(
      "Makes a workflow of what sessions did, so that it can be done again; of several, what they have in common.",
    )
    .argument(
      "[id...]",
      "the sessions, or beads for the newest run of each; without any: CLEW_SESSION, else the newest session",
    )
    .option("-s, --session <id>", "the session")
    .addOption(
      new Option(
        "--format <format>",
        "markup, grimoire (a run of it begins with clew run) or skill (a SKILL.md for agents); without it as FILE ends, else grimoire",
      ).choices([...codifyFormats]),
    )
    .option("-o, --output <file>", "write there, and not to stdout; a file that is there stays")
    .option("--refine", "have an agent improve it; shows the difference, and keeps the original beside FILE")
    .option("--engine <name>", "the engine that refines it; without it, the configured one")
    .option("--model <name>", "the model that refines it, as the engine calls it")
    .option("--interactive", "edit it in your editor before it is saved to FILE; what is wrong is shown by line")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
Phases become steps, commands that only ran become scripts, tests and fixes that took turns a loop, commands that failed and were fixed
gates, approvals merges; what the bead said becomes a variable. The session of a run gives back the grimoire that ran. What could not
be told is said on stderr. docs/CODIFY.md has the rules.

Examples:
  $ clew session codify latest
  $ clew session codify latest -o .clew/grimoires/fix-login.yaml
  $ clew session codify 2026-11-16-fix-login 2026-11-17-fix-logout --format skill -o .claude/skills/fix-it/SKILL.md
  $ clew session codify latest --refine --engine claude -o .clew/grimoires/better.yaml`,
    )
    .action((names: string[], { format: form, ...options }: GivenOptions) => {
      const format = formOfFile(options.output, { option: "--format", form }, codifyEndings) ?? "grimoire";
      return codify(context, names, { ...options, format });
    });
}

async function codify(context: CliContext, names: string[], options: CodifyOptions): Promise<void> {
  refuseOptions(context, options);
  const sessions =
    names.length > 0 ? names.map((name) => resolveSessionName(context, name)) : [await sessionOf(context, options)];
  const { name } = nameFromFile(options);
  if (name !== undefined) await refuseTakenName(context, options.output!, name);
  if (options.refine || options.interactive) {
    const { codifyFurther } = await import("./codify-further.ts");
    return codifyFurther(context, sessions, options);
  }
  const codified = await context.api.codify.extract({ sessions, format: options.format, ...nameFromFile(options) });
  sayNotes(context, codified);
  sayProblems(context, codified.problems, codified);
  if (!codified.valid) context.exitCode = 2;
  if (options.output === undefined) return print(context.output, options.json, codified, () => codified.text);
  refuseInvalid(codified.valid, options.output);
  saveWorkflow(context, options.output, codified.text);
  await print(context.output, options.json, codified, () => savedText(codified, options.output!));
}

/** Without a name: CLEW_SESSION, else the newest. The person hears which one that is. */
async function sessionOf(context: CliContext, { session: flag }: CodifyOptions): Promise<string> {
  const name = sessionOption(context, undefined, flag);
  if (flag !== undefined) return name!;
  const { session_id: id } = await context.api.sessions.find({ session: name ?? "latest" });
  context.output.say(`of ${id}, ${name === undefined ? "the newest session" : "which CLEW_SESSION names"}`);
  return id;
}

function refuseOptions(
  { input, cwd }: CliContext,
  { output, interactive, refine, engine, model, json }: CodifyOptions,
): void {
  const refuse = (what: string, hint: string): never => {
    throw new ClewError("usage", what, hint);
  };
  if (interactive && output === undefined) refuse("--interactive saves to a file", "name it with -o FILE");
  if (interactive && json)
    refuse("--interactive shows a person what to edit, and prints no JSON", "leave one of them out");
  if (interactive && !input.interactive)
    refuse("--interactive needs a terminal", "leave it out, and edit what is written");
  const asked = engine !== undefined ? "--engine" : model !== undefined ? "--model" : undefined;
  if (asked !== undefined && !refine) refuse(`${asked} goes with --refine`, "add --refine");
  if (output !== undefined) refuseUnwritable(cwd, output);
}
