import type { Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import type { CliContext, JsonOption, PagedWriter } from "../../context.ts";
import { RunLogView } from "../../terminal/run-log-view.ts";
import { cleanJson } from "../../terminal/clean.ts";

interface LogOptions extends JsonOption {
  all?: boolean;
  follow?: boolean;
}

export function defineLog(run: Command, context: CliContext): void {
  run
    .command("log")
    .description("Prints all that a run did: commands, output, what agents said and called, waits, signals.")
    .argument("[id]", "the run's id, a unique prefix, its bead, or latest")
    .option("--all", "the numbered events of all runs, in order")
    .option("-f, --follow", "go on printing what comes, until the run ends or Ctrl-C")
    .option("--json", "print the journal's lines as they are")
    .addHelpText("after", "\nExamples:\n  $ clew run log latest -f\n  $ clew run log --all --json")
    .action(
      async (name: string | undefined, { all, follow = false, json = run.opts<LogOptions>().json }: LogOptions) => {
        if ((name === undefined) === !all) {
          const hint = "clew run log ID prints one, clew run log --all the events of all";
          throw new ClewError("usage", "which run?", hint);
        }
        if (follow || json) context.output.hasPager = false;
        const stop = new AbortController();
        if (follow) void context.input.untilInterrupted().then(() => stop.abort());
        const request = { follow, json: json ?? false, signal: stop.signal };
        await (name === undefined ? logAll(context, request) : logOne(context, name, request));
      },
    );
}

type LogRequest = Required<Pick<LogOptions, "follow" | "json">> & { signal: AbortSignal };

async function logOne(context: CliContext, run: string, { json, follow, signal }: LogRequest): Promise<void> {
  const lines = await context.api.runs.lines({ run, follow }, { signal });
  const view = new RunLogView(context.terminal, json ? "" : (await context.api.runs.show({ run })).run.journal);
  const pages = await context.output.openPager();
  for await (const line of lines) {
    await writeLines(pages, json ? [cleanJson(line)] : view.add(line));
    if (!(await pages.isRead())) break;
  }
  await writeLines(pages, view.end());
  await pages.end();
}

/** One line for each event: its number, its run, and what the run's own log begins with. */
async function logAll(context: CliContext, { json, follow, signal }: LogRequest): Promise<void> {
  const { dim } = context.terminal.colors;
  const view = new RunLogView(context.terminal, "");
  const pages = await context.output.openPager();
  for await (const event of await context.api.runs.events({ follow }, { signal })) {
    if ("unreadable" in event) {
      const { id, reason } = event.unreadable;
      context.output.say(`warning: ${id} is left out: ${reason}`);
      continue;
    }
    const [head = ""] = json ? [] : view.add(event);
    // What agents do has no number.
    const number = String("n" in event ? event.n : "").padStart(5);
    const text = json ? cleanJson(event) : `${dim(`${number}  ${event.workflow_id}`)}  ${head}`;
    await writeLines(pages, [text]);
    if (!(await pages.isRead())) break;
  }
  await pages.end();
}

async function writeLines(pages: PagedWriter, lines: string[]): Promise<void> {
  if (lines.length > 0) await pages.write(`${lines.join("\n")}\n`);
}
