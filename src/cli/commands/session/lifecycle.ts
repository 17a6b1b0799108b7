import { Option, type Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import { endStatuses, type EndStatus } from "../../../contract/session.ts";
import { print, type CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { chosenSession } from "./chosen.ts";

interface Common {
  session?: string;
  json?: boolean;
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
    .action(async (name: string | undefined, { session: flag, json }: Common) => {
      const app = await context.open();
      const id = await chosenSession(context, app, name, flag);
      await app.sessions.pause(id);
      await print(
        context,
        json,
        { session_id: id, status: "paused" },
        () => `Paused ${id}; go on with: clew session resume ${id}`,
      );
    });

  command("end", "Ends a session. A linked subagent's summary goes to its parent.", "end --status failed")
    .argument("[id]", "the session")
    .addOption(new Option("--status <status>", "how it ended").choices(endStatuses).default("completed"))
    .option("--error <text>", "why it failed")
    .option("--summary <text>", "what came of it")
    .action(
      async (name: string | undefined, options: Common & { status: EndStatus; error?: string; summary?: string }) => {
        const app = await context.open();
        const id = await chosenSession(context, app, name, options.session);
        const log = await app.log();
        if (options.summary !== undefined) await log.entry(id, { kind: "task_complete", text: options.summary });
        await app.sessions.end(id, options.status, options.error);
        await log.tellParent(id);
        await print(
          context,
          options.json,
          { session_id: id, status: options.status },
          () => `Ended ${id} as ${options.status}`,
        );
      },
    );

  command("rename", "Gives a session another title; its id stays.", 'rename latest "Fix the login for good"')
    .usage("[options] <id> <title>")
    .argument("<id>", "the session; left out with -s")
    .argument("[title]", "the new title")
    .action(async (first: string, second: string | undefined, { session: flag, json }: Common) => {
      const [name, title] = flag === undefined ? [first, second] : [flag, second ?? first];
      if (title === undefined) throw new ClewError("usage", "the new title is missing", "clew session rename ID TITLE");
      const app = await context.open();
      const id = await app.finder.find(name);
      const shown = await app.sessions.rename(id, title);
      await print(context, json, { session_id: id, title: shown }, () => `Renamed ${id}: ${cleanLine(shown)}`);
    });

  command("archive", "Leaves a session out of lists; its file stays where it is.", "archive 2026-11-15-fix-the-login")
    .argument("[id]", "the session")
    .option("--undo", "bring it back into lists")
    .action(async (name: string | undefined, { undo, session: flag, json }: Common & { undo?: boolean }) => {
      const app = await context.open();
      const id = await app.finder.find(named(name, flag));
      await app.sessions.archive(id, !undo);
      await print(
        context,
        json,
        { session_id: id, archived: !undo },
        () => `${undo ? "Back in lists" : "Archived"}: ${id}`,
      );
    });

  command("delete", "Deletes a session for good: folder, copy and index.", "delete 2026-11-15-fix-the-login")
    .argument("[id]", "the session")
    .option("-y, --yes", "do not ask; needed where there is no terminal")
    .action(async (name: string | undefined, { yes, session: flag, json }: Common & { yes?: boolean }) => {
      const app = await context.open();
      const id = await app.finder.find(named(name, flag));
      if (!yes && !context.interactive) {
        throw new ClewError(
          "usage",
          `without a terminal nobody can be asked whether ${id} is to go for good`,
          `clew session delete ${id} --yes`,
        );
      }
      if (!yes && !(await context.confirm(`Delete ${id} for good?`))) {
        throw new ClewError(
          "interrupted",
          `nothing was deleted`,
          "clew session archive leaves it out of lists instead",
        );
      }
      await app.sessions.delete(id);
      await print(context, json, { session_id: id, deleted: true }, () => `Deleted ${id}`);
    });
}

/** What puts a session away must be told which one. */
function named(...names: (string | undefined)[]): string {
  const name = names.find((each) => each !== undefined);
  if (name !== undefined) return name;
  throw new ClewError("usage", "which session?", "give its id; clew session list shows them");
}
