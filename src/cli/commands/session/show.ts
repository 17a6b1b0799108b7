import type { Command } from "commander";
import type { SessionDocument } from "../../../contract/session.ts";
import { print, type CliContext } from "../../context.ts";
import { sessionOption, type SessionOptions } from "./session-name.ts";

interface ShowOptions extends SessionOptions {
  follow?: boolean;
  full?: boolean;
  raw?: boolean;
}

export function defineShow(session: Command, context: CliContext): void {
  session
    .command("show")
    .description("Shows a session: metadata, tasks, phases, callouts, embedded sessions.")
    .argument("[id]", "the session")
    .option("-s, --session <id>", "the session")
    .option("-f, --follow", "go on printing what is logged, until it ends or Ctrl-C")
    .option("--full", "print whole results of tool calls, where a summary is not all")
    .option("--raw", "print session.md as it is written")
    .option("--json", "print JSON; whole results are in result_full")
    .addHelpText("after", "\nExamples:\n  $ clew session show latest -f\n  $ clew session show --full")
    .action(async (name: string | undefined, options: ShowOptions) => {
      const request = { session: sessionOption(context, name, options.session) };
      if (options.raw) {
        const { text, ...place } = await context.api.sessions.text(request);
        return options.json
          ? context.output.writeJson({ ...place, text })
          : context.output.write(context.terminal.onTerminal ? text : Buffer.from(text));
      }
      if (options.json && !options.follow) {
        return context.output.writeJson(await context.api.sessions.show({ ...request, full: true }));
      }
      const full = options.full ?? options.json ?? false;
      const details = await context.api.sessions.read({ ...request, full });
      const { viewSession } = await import("../../terminal/session-view.ts");
      // A pager would wait for an end that does not come.
      if (options.follow) context.output.hasPager = false;
      await print(context.output, options.json, details.document, () =>
        viewSession(context.terminal, context.cwd, details),
      );
      if (options.follow) await follow(context, details.document, options.json ?? false, full);
    });
}

/** Prints what is added, entry by entry, until the session ends or Ctrl-C. */
async function follow(
  context: CliContext,
  { frontmatter, phases }: SessionDocument,
  json: boolean,
  full: boolean,
): Promise<void> {
  const { viewEntry, viewPhaseTitle } = await import("../../terminal/session-view.ts");
  const stop = new AbortController();
  void context.input.untilInterrupted().then(() => stop.abort());
  const after = phases.reduce((sum, { entries }) => sum + 1 + entries.length, 0);
  const request = { session: frontmatter.session_id, full, after };
  for await (const addition of await context.api.sessions.follow(request, { signal: stop.signal })) {
    if (json) await context.output.writeJson(addition);
    else if ("entry" in addition) await context.output.write(`${viewEntry(context.terminal, addition.entry, {})}\n`);
    else await context.output.write(`\n${viewPhaseTitle(context.terminal, addition.phase)}\n`);
  }
}
