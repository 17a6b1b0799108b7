import type { Command } from "commander";
import type { SessionDocument } from "../../../contract/session.ts";
import { print, type CliContext } from "../../context.ts";
import { chosenSession } from "./chosen.ts";

interface Shown {
  session?: string;
  follow?: boolean;
  full?: boolean;
  json?: boolean;
}

export function defineShow(session: Command, context: CliContext): void {
  session
    .command("show")
    .description("Shows a session: metadata, tasks, phases, callouts, embedded sessions.")
    .argument("[id]", "the session")
    .option("-s, --session <id>", "the session")
    .option("-f, --follow", "go on printing what is logged, until it ends or Ctrl-C")
    .option("--full", "print whole results of tool calls, where a summary is not all")
    .option("--json", "print JSON; whole results are in result_full")
    .addHelpText("after", "\nExamples:\n  $ clew session show latest -f\n  $ clew session show --full")
    .action(async (name: string | undefined, options: Shown) => {
      const asked = { session: chosenSession(context, name, options.session) };
      if (options.json && !options.follow) {
        return context.writeJson(await context.api.sessions.show({ ...asked, full: true }));
      }
      const full = options.full ?? options.json ?? false;
      const shown = await context.api.sessions.read({ ...asked, full });
      const { viewSession } = await import("../../terminal/session-view.ts");
      // What goes on has no end for a pager to wait for.
      if (options.follow) context.hasPager = false;
      await print(context, options.json, shown.document, () => viewSession(context, shown));
      if (options.follow) await follow(context, shown.document, { json: options.json ?? false, full });
    });
}

/** Prints what is added, entry by entry, until the session ends or Ctrl-C. */
async function follow(
  context: CliContext,
  { frontmatter, phases }: SessionDocument,
  { json, full }: { json: boolean; full: boolean },
): Promise<void> {
  const { viewEntry, viewPhaseTitle } = await import("../../terminal/session-view.ts");
  const stop = new AbortController();
  void context.untilInterrupted().then(() => stop.abort());
  const known = phases.map(({ entries }) => entries.length);
  const request = { session: frontmatter.session_id, full, known };
  for await (const added of await context.api.sessions.follow(request, { signal: stop.signal })) {
    if (json) await context.writeJson(added);
    else if ("entry" in added) await context.write(`${viewEntry(context, added.entry, {})}\n`);
    else await context.write(`\n${viewPhaseTitle(context, added.phase)}\n`);
  }
}
