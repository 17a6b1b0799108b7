import { Command } from "commander";
import type { CliContext } from "../context.ts";
import { searchCommand } from "./search.ts";
import { defineLifecycle } from "./session/lifecycle.ts";
import { defineList } from "./session/list.ts";
import { defineLog } from "./session/log.ts";
import { defineResume } from "./session/resume.ts";
import { defineShow } from "./session/show.ts";
import { defineStart } from "./session/start.ts";
import { defineStats } from "./session/stats.ts";

/** Defines the one subcommand that is called, or all of them for help and completion. */
export function define(context: CliContext, words?: string[]): Command {
  const session = new Command("session")
    .description("Sessions: one readable file each, with phases, tool calls, decisions, errors and the user's words.")
    .addHelpText(
      "after",
      '\nExamples:\n  $ clew session start "Fix the login" --channel dev --agent coder@2\n  $ clew session log decision "Use JWT"\n  $ clew session show latest\n\nA session is named by its id, a unique prefix, a path, or latest; without a name: CLEW_SESSION, else the one active session.',
    );
  const groups = [
    { names: ["start"], add: defineStart },
    { names: ["log"], add: defineLog },
    { names: ["pause", "end", "rename", "archive", "delete"], add: defineLifecycle },
    { names: ["list"], add: defineList },
    { names: ["show"], add: defineShow },
    { names: ["stats"], add: defineStats },
    { names: ["resume"], add: defineResume },
    { names: ["search"], add: addSearch },
  ];
  const called = groups.find(({ names }) => names.includes(words?.[0] ?? ""));
  for (const { add } of called ? [called] : groups) add(session, context);
  return session;
}

function addSearch(session: Command, context: CliContext): void {
  session.addCommand(searchCommand(context));
}
