import type { Command } from "commander";
import type { DaemonEvent, DaemonNews } from "../../../contract/api/daemon.ts";
import type { SchedulerEvent, SchedulerStanding } from "../../../contract/api/scheduler.ts";
import { ClewError } from "../../../contract/errors.ts";
import type { CliContext, JsonOption } from "../../context.ts";
import { cleanJson } from "../../terminal/clean.ts";
import { portOption, type PortOption } from "./port-option.ts";

interface RunOptions extends JsonOption, PortOption {
  once?: boolean;
}

export function defineRun(daemon: Command, context: CliContext): void {
  daemon
    .command("run")
    .description("Is the daemon, in the foreground until Ctrl-C: takes up interrupted runs, then ready beads.")
    .option("--once", "only work on beads, and end when nothing is ready or running any more")
    .addOption(portOption())
    .option("--json", "print JSON lines: the numbered events of its runs, and its own as scheduler.… and daemon.…")
    .addHelpText("after", help)
    .action(async (options: RunOptions) => {
      if (options.once && options.port !== undefined)
        throw new ClewError("usage", "--once serves nobody, so that it takes no --port", "leave one of them out");
      await work(context, options);
    });
}

const help = `
At most max_concurrent_agents runs are driven at once (clew config show); those of other commands count too.
What cannot be started is in clew inbox with the reason, and is tried again after 5 s, then 10 s, at most 10 min, or
as soon as its bead, the grimoires, the spells or the settings change; with --once the next daemon tries it again.
Runs that wait for you hold no place. A bead whose run you cancelled is left alone until it changes.
Ctrl-C ends the steps at hand; the next daemon, or clew run resume, goes on with their runs.

Exit codes: 130 after Ctrl-C. With --once: 0 all is done, 1 something failed or could not be started,
3 something is blocked, 4 something waits for your approval; the first of these that is so.

Examples:
  $ clew daemon run
  $ clew daemon run --once --json`;

/** Beads that fail within this time for one reason share a line. */
const digestMs = 300;

async function work(context: CliContext, { once = false, port, json = false }: RunOptions): Promise<void> {
  const { DaemonView } = await import("../../terminal/daemon-view.ts");
  const { BackOffDigest } = await import("../../terminal/back-off-digest.ts");
  const { QueuedOutput } = await import("../../terminal/output.ts");
  const stop = new AbortController();
  // Steps have to be ended before the program may end.
  const output = new QueuedOutput(() => stop.abort());
  const view = new DaemonView(context.terminal, once);
  let isInterrupted = false;
  const onInterrupt = (): void => {
    isInterrupted = true;
    stop.abort();
  };
  void context.input.untilInterrupted().then(onInterrupt);
  context.output.muteProgress();
  const { say } = context.output;
  // On a terminal, warnings keep their place among the lines.
  if (!json && context.terminal.onTerminal) context.output.say = (line) => output.push(`${line}\n`);
  const digest = new BackOffDigest();
  let digestTimer: NodeJS.Timeout | undefined;
  const printBackOffs = (): void => {
    clearTimeout(digestTimer);
    digestTimer = undefined;
    for (const group of digest.take()) output.push(`${view.group(group)}\n`);
  };
  const printEvent = (event: SchedulerEvent | DaemonEvent): void => {
    if (event.type === "scheduler.backed_off") {
      digest.add(event);
      digestTimer ??= setTimeout(printBackOffs, digestMs);
      return;
    }
    printBackOffs();
    if (event.type === "scheduler.started" || event.type === "scheduler.resumed") digest.forget(event.bead_id);
    output.push(`${view.line(event)}\n`);
  };
  let standing: SchedulerStanding | undefined;
  const report = (news: DaemonNews): void => {
    if (news.type === "scheduler.closed") standing = news;
    if (json) output.push(`${cleanJson(news)}\n`);
    else if (!("n" in news)) printEvent(news);
  };
  const { signal } = stop;
  const stream = once
    ? await context.api.scheduler.run({ once }, { signal })
    : await context.api.daemon.run({ port }, { signal });
  for await (const news of stream) report(news);
  printBackOffs();
  await output.flush();
  context.output.say = say;
  context.exitCode = isInterrupted ? 130 : standing ? exitCode(standing) : 1;
  if (!output.isRead) {
    context.output.say("nobody reads the output any more, so the daemon stopped: clew daemon run starts it again");
    context.exitCode = 1;
  }
}

function exitCode({ failed, backed_off, blocked, pending_merge, stopped }: SchedulerStanding): number {
  if (failed + backed_off > 0) return 1;
  if (blocked > 0) return 3;
  return pending_merge + stopped > 0 ? 4 : 0;
}
