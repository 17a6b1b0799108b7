import { Option, type Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import { endStatuses, type EndStatus } from "../../../contract/session-values.ts";
import { print, type CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { resolveSessionName, sessionOption, type SessionOptions } from "./session-name.ts";

interface EndOptions extends SessionOptions {
  status: EndStatus;
  error?: string;
  summary?: string;
}

export function defineLifecycle(session: Command, context: CliContext): void {
  const command = (name: string, about: string, example: string): Command =>
    session
      .command(name)
      .description(about)
      .option("-s, --session <id>", "the session")
      .option("--json", "print JSON")
      .addHelpText("after", `\nExample:\n  $ clew session ${example}`);

  command("pause", "Pauses a session; it resumes at its current phase.", "pause")
    .argument("[id]", "the session")
    .action(async (name: string | undefined, { session: flag, json }: SessionOptions) => {
      const result = await context.api.sessions.pause({ session: sessionOption(context, name, flag) });
      const { session_id: id } = result;
      await print(context.output, json, result, () => `Paused ${id}; go on with: clew session resume ${id}`);
    });

  command("end", "Ends a session. A linked subagent's summary goes to its parent.", "end --status failed")
    .argument("[id]", "the session")
    .addOption(new Option("--status <status>", "how it ended").choices(endStatuses).default("completed"))
    .option("--error <text>", "why it failed")
    .option("--summary <text>", "what came of it")
    .action(async (name: string | undefined, { session: flag, json, ...outcome }: EndOptions) => {
      const result = await context.api.sessions.end({ session: sessionOption(context, name, flag), ...outcome });
      await print(context.output, json, result, () => `Ended ${result.session_id} as ${result.status}`);
    });

  command("rename", "Gives a session another title; its id stays.", 'rename latest "Fix the login for good"')
    .usage("[options] <id> <title>")
    .argument("<id>", "the session; left out with -s")
    .argument("[title]", "the new title")
    .action(async (first: string, second: string | undefined, { session: flag, json }: SessionOptions) => {
      const [name, title] = flag === undefined ? [first, second] : [flag, second ?? first];
      if (title === undefined) throw new ClewError("usage", "the new title is missing", "clew session rename ID TITLE");
      const result = await context.api.sessions.rename({ session: resolveSessionName(context, name), title });
      await print(context.output, json, result, () => `Renamed ${result.session_id}: ${cleanLine(result.title)}`);
    });

  command("archive", "Leaves a session out of lists; its file stays where it is.", "archive 2026-11-15-fix-the-login")
    .argument("[id]", "the session")
    .option("--undo", "bring it back into lists")
    .action(async (name: string | undefined, { undo, session: flag, json }: SessionOptions & { undo?: boolean }) => {
      const request = { session: requireSession(context, name, flag), archived: !undo };
      const result = await context.api.sessions.archive(request);
      await print(context.output, json, result, () => `${undo ? "Back in lists" : "Archived"}: ${result.session_id}`);
    });

  command("delete", "Deletes a session for good: folder, copy and index.", "delete 2026-11-15-fix-the-login")
    .argument("[id]", "the session")
    .option("-y, --yes", "do not ask; needed where there is no terminal")
    .action(async (name: string | undefined, { yes, session: flag, json }: SessionOptions & { yes?: boolean }) => {
      const { session_id: id } = await context.api.sessions.find({ session: requireSession(context, name, flag) });
      if (!yes && !context.input.interactive) {
        const message = `without a terminal nobody can be asked whether ${id} is to go for good`;
        throw new ClewError("usage", message, `clew session delete ${id} --yes`);
      }
      if (!yes && !(await context.input.confirm(`Delete ${id} for good?`))) {
        const hint = "clew session archive leaves it out of lists instead";
        throw new ClewError("interrupted", "nothing was deleted", hint);
      }
      const result = await context.api.sessions.delete({ session: id });
      await print(context.output, json, result, () => `Deleted ${id}`);
    });
}

/** For commands that put a session away: they never act on the active one by default. */
function requireSession(context: CliContext, argument: string | undefined, flag: string | undefined): string {
  const name = argument ?? flag;
  if (name !== undefined) return resolveSessionName(context, name);
  throw new ClewError("usage", "which session?", "give its id; clew session list shows them");
}
