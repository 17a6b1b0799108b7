import { Option, type Command } from "commander";
import { codifyFormats } from "../../../contract/codify-values.ts";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext } from "../../context.ts";
import { refuseUnwritable } from "../../write-new-file.ts";
import {
  nameFromFile,
  refuseInvalid,
  savedText,
  saveWorkflow,
  sayNotes,
  sayProblems,
  type CodifyOptions,
} from "./codify-output.ts";
import { resolveSessionName, sessionOption } from "./session-name.ts";

export function defineCodify(session: Command, context: CliContext): void {
  session
    .command("codify")
    .description(
      "Makes a workflow of what sessions did, so that it can be done again; of several, what they have in common.",
    )
    .argument("[id...]", "the sessions")
    .option("-s, --session <id>", "the session")
    .addOption(
      new Option(
        "--format <format>",
        "markup, grimoire (a run of it begins with clew run) or skill (a SKILL.md for agents)",
      )
        .choices([...codifyFormats])
        .default("grimoire"),
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
    .action((names: string[], options: CodifyOptions) => codify(context, names, options));
}

async function codify(context: CliContext, names: string[], options: CodifyOptions): Promise<void> {
  refuseOptions(context, options);
  const sessions =
    names.length > 0 ? names.map((name) => resolveSessionName(context, name)) : [sessionOf(context, options)];
  if (options.refine || options.interactive) {
    const { codifyFurther } = await import("./codify-further.ts");
    return codifyFurther(context, sessions, options);
  }
  const codified = await context.api.codify.extract({ sessions, format: options.format, ...nameFromFile(options) });
  sayNotes(context, codified);
  sayProblems(context, codified.problems);
  if (!codified.valid) context.exitCode = 2;
  if (options.output === undefined) return print(context.output, options.json, codified, () => codified.text);
  refuseInvalid(codified.valid, options.output);
  saveWorkflow(context, options.output, codified.text);
  await print(context.output, options.json, codified, () => savedText(codified, options.output!));
}

/** Without a name: CLEW_SESSION, or the one that is active. */
function sessionOf(context: CliContext, { session }: CodifyOptions): string {
  return sessionOption(context, undefined, session) ?? "latest";
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
