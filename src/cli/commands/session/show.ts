import type { Command } from "commander";
import type { App } from "../../../app/app.ts";
import { endStatuses, type SessionDocument } from "../../../contract/session.ts";
import { print, type CliContext } from "../../context.ts";
import { chosenSession } from "./chosen.ts";
import { jsonText } from "../../terminal/clean.ts";

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
      const app = await context.open();
      const id = await chosenSession(context, app, name, options.session);
      await app.sessions.foldOpen();
      if (options.json && !options.follow) {
        return context.write(`${jsonText(await app.show.document(id, true))}\n`);
      }
      const full = options.full ?? options.json ?? false;
      const shown = await app.show.withEmbeds(id, full);
      const { viewSession } = await import("../../terminal/session-view.ts");
      // What goes on has no end for a pager to wait for.
      if (options.follow) context.hasPager = false;
      await print(context, options.json, shown.document, () => viewSession(context, shown));
      if (options.follow) await follow(context, app, id, shown.document, { json: options.json ?? false, full });
    });
}

/** Prints what is added, entry by entry. A look at the clock of the file costs next to nothing, so it looks often. */
async function follow(
  context: CliContext,
  app: App,
  id: string,
  before: SessionDocument,
  { json, full }: { json: boolean; full: boolean },
): Promise<void> {
  const { viewEntry, viewPhaseTitle } = await import("../../terminal/session-view.ts");
  const interrupted = context.interrupted().then(() => true);
  let shown = before;
  while (!endStatuses.some((status) => status === shown.frontmatter.status)) {
    const pause = new Promise<false>((resolve) => setTimeout(() => resolve(false), 200).unref());
    const keepAlive = setInterval(() => undefined, 1000);
    const stop = await Promise.race([interrupted, pause]);
    clearInterval(keepAlive);
    if (stop) return;
    const now = await app.show.document(id, full);
    for (const [at, phase] of now.phases.entries()) {
      const known = shown.phases[at];
      if (!known)
        await context.write(
          json ? `${jsonText({ phase: { ...phase, entries: [] } })}\n` : `\n${viewPhaseTitle(context, phase)}\n`,
        );
      for (const entry of phase.entries.slice(known?.entries.length ?? 0)) {
        await context.write(json ? `${jsonText({ phase: phase.id, entry })}\n` : `${viewEntry(context, entry, {})}\n`);
      }
    }
    shown = now;
  }
}
