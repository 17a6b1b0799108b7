import type { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { viewStarted, viewStatus, viewStopped, waitsFor, type WorkAhead } from "../../terminal/daemon-status-view.ts";
import { portOption, type PortOption } from "./port-option.ts";

/** What starts the daemon, ends it, and tells of it. */
export function defineControl(daemon: Command, context: CliContext): void {
  daemon
    .command("start")
    .description("Starts the daemon in the background; where one runs already, tells of that one.")
    .addOption(portOption())
    .option("--json", "print JSON: {daemon, is_new}")
    .addHelpText("after", startHelp)
    .action(async ({ port, json }: JsonOption & PortOption) => {
      // Looked for before it takes anything up.
      const work = json === true ? undefined : await workAhead(context);
      const started = await context.api.daemon.start({ port });
      await print(context.output, json, started, () =>
        viewStarted(context.terminal, { ...started, version: context.program.version }, work),
      );
    });
  daemon
    .command("restart")
    .description("Ends the daemon and starts it again, at the same port: after an update of the program, say.")
    .addOption(portOption())
    .option("--json", "print JSON: {daemon, is_new}")
    .addHelpText("after", "\nExample:\n  $ clew daemon restart")
    .action(async ({ port, json }: JsonOption & PortOption) => {
      const { daemon: running } = await context.api.daemon.status({});
      const ownPort = running?.url == null ? undefined : Number(new URL(running.url).port);
      await context.api.daemon.stop({});
      const started = await context.api.daemon.start({ port: port ?? ownPort });
      await print(context.output, json, started, () =>
        viewStarted(context.terminal, { ...started, version: context.program.version }),
      );
    });
  daemon
    .command("stop")
    .description(
      "Ends the daemon and waits until it is gone. Its runs are interrupted; the next daemon goes on with them.",
    )
    .option("--json", "print JSON: {stopped}; null when none ran")
    .addHelpText("after", stopHelp)
    .action(({ json }: JsonOption) => stop(context, json));
  daemon
    .command("status")
    .description(
      "Tells whether the daemon runs, since when, where it listens, and what it drives. Exits 3 when none runs.",
    )
    .option("--json", "print JSON: {daemon, version, log, driving}; daemon is null when none runs")
    .addHelpText("after", statusHelp)
    .action(async ({ json }: JsonOption) => {
      const status = await context.api.daemon.status({});
      if (!status.daemon) context.exitCode = 3;
      await print(context.output, json, status, () => viewStatus(context.terminal, status));
    });
}

/** What a daemon that is started now would work on. */
async function workAhead(context: CliContext): Promise<WorkAhead> {
  const { ready, running } = await context.api.status.show({});
  const { settings } = await context.api.config.show({});
  const interrupted = running.filter((each) => !("session_id" in each) && each.status === "interrupted");
  const limit = settings.find(({ name }) => name === "max_concurrent_agents")?.value;
  return { ready: ready.length, toResume: interrupted.length, limit: Number(limit) };
}

const startHelp = `
It works in a session of its own, and outlives this terminal: takes up runs that a crash interrupted, and ready beads as
clew daemon run does, at once: clew daemon stop holds it, clew bead update ID -s deferred one bead. Its log: .clew/logs/daemon.log. What an agent or a step started cannot start one.

Examples:
  $ clew daemon start
  $ clew daemon start --port 0`;

const stopHelp = `
Steps at hand are ended, as by Ctrl-C. A run that you stopped yourself, in its own terminal, is not taken up by a daemon;
one that ends with its daemon is.

Example:
  $ clew daemon stop`;

const statusHelp = `
Exit codes: 0 it runs, 3 none runs.

Example:
  $ clew daemon status`;

/** A person who waits longer than this wants to know for what. */
const patienceMs = 20_000;

async function stop(context: CliContext, json: boolean | undefined): Promise<void> {
  const leaving = new AbortController();
  void context.input.untilInterrupted().then(() => leaving.abort());
  const timer = setTimeout(() => {
    void context.api.daemon.status({}).then((status) => context.output.say(waitsFor(status)));
  }, patienceMs);
  try {
    const result = await context.api.daemon.stop({}, { signal: leaving.signal });
    await print(context.output, json, result, () => viewStopped(result.stopped));
  } finally {
    clearTimeout(timer);
  }
}
