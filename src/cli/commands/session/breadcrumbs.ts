import { InvalidArgumentError, Option, type Command } from "commander";
import { noteKinds, type NoteKind } from "../../../contract/breadcrumb-values.ts";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { readCount } from "../../read-count.ts";
import { sessionOption, type SessionOptions } from "./session-name.ts";

interface ListOptions extends SessionOptions {
  summary?: boolean;
  depth?: number;
  limit?: number;
}

export function defineBreadcrumbs(session: Command, context: CliContext): void {
  session
    .command("breadcrumbs")
    .description(
      "What the agents of a session left of their progress: a breadcrumb for each round, and their own notes.",
    )
    .argument("[id]", "the session")
    .option("-s, --session <id>", "the session")
    .option("--summary", "one line each")
    .option("--depth <n>", "only of this depth: 0 is the session's own agent, 1 a subagent of it", readDepth)
    .option("--limit <n>", "only so many, the last ones", readCount)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  $ clew session breadcrumbs latest --summary\n  $ clew session breadcrumbs --depth 0 --limit 5",
    )
    .action(async (name: string | undefined, { session: flag, summary, json, ...wanted }: ListOptions) => {
      const found = await context.api.sessions.breadcrumbs({ session: sessionOption(context, name, flag), ...wanted });
      const { viewBreadcrumbs } = await import("../../terminal/breadcrumb-view.ts");
      await print(context.output, json, found, () => viewBreadcrumbs(context.terminal, found, summary ?? false));
    });
}

interface AddOptions extends JsonOption {
  cookie: string;
  kind: NoteKind;
  text: string;
  files?: string[];
}

export function defineBreadcrumb(session: Command, context: CliContext): void {
  session
    .command("breadcrumb")
    .description("Notes that an agent leaves of its progress.")
    .addHelpText(
      "after",
      '\nExample:\n  $ clew session breadcrumb add --cookie ID --kind note --text "The tests are green"',
    )
    .command("add")
    .description("Keeps a note beside the session; it is on disk when the command answers.")
    .requiredOption("--cookie <id>", "the session, by the id that the agent was given")
    .addOption(new Option("--kind <kind>", "what it is").choices(noteKinds).makeOptionMandatory())
    .requiredOption("--text <text>", "what there is to say")
    .option("--files <path...>", "files that it is about")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExample:\n  $ clew session breadcrumb add --cookie 2026-11-15-fix-the-login --kind decision --text "Use JWT" --files src/auth.ts',
    )
    .action(async ({ json, ...note }: AddOptions) => {
      const kept = await context.api.sessions.addBreadcrumb(note);
      await print(context.output, json, kept, () => `Kept ${kept.path}`);
    });
}

function readDepth(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 0 to 99.");
  return Number(text);
}
