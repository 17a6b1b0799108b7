import { Command } from "commander";
import { ClewError } from "../../contract/errors.ts";
import type { Api } from "../../contract/api/api.ts";
import type { Json } from "../../contract/grimoire.ts";
import type { CliContext, JsonOption } from "../context.ts";
import { addLimitOptions, limitsOf, type LimitOptions } from "../limit-options.ts";
import { readVariable } from "../read-variable.ts";
import { addSubcommands, type CommandGroup } from "../subcommands.ts";
import { nearestCommand, unknownCommand } from "../unknown-command.ts";

const groups: CommandGroup[] = [
  { names: ["list"], load: async () => (await import("./run/list.ts")).defineList },
  { names: ["show"], load: async () => (await import("./run/show.ts")).defineShow },
  { names: ["log"], load: async () => (await import("./run/log.ts")).defineLog },
  {
    names: ["resume", "retry", "approve", "changes", "reject", "cancel"],
    load: async () => (await import("./run/control.ts")).defineControl,
  },
  {
    names: ["agents", "send", "stop-agent"],
    load: async () => (await import("./run/agents.ts")).defineAgents,
  },
  { names: ["diff"], load: async () => (await import("./run/diff.ts")).defineDiff },
];
const subcommandNames = groups.flatMap(({ names }) => names);

/** What a run is started with, and a preview of it too. */
export interface StartOptions extends JsonOption {
  engine?: string;
  target?: string;
  var?: Record<string, Json>;
  anyway?: boolean;
}

type RunOptions = StartOptions & LimitOptions & { grimoire?: string };

export async function define(context: CliContext, commandLine: string[] = []): Promise<Command> {
  const run = addLimitOptions(new Command("run"))
    .description("Works on a bead by its grimoire, in the foreground, and survives anything on the way.")
    .enablePositionalOptions()
    .usage("[options] BEAD-ID | COMMAND …")
    .argument("[bead...]", "the bead to work on")
    .option("--grimoire <name>", "its name or the path of a file; without it, the bead decides")
    .option("--engine <name>", "the engine of all agent steps")
    .option("--target <branch>", "the branch to work from and merge into; without it, the one that is checked out")
    .option("--var <name=value>", "a variable, JSON if it parses (repeatable)", readVariable)
    .option("--anyway", "begin although the bead waits for others that are not closed")
    .option("--json", "print the numbered events as JSON lines, and the run at the end")
    .addHelpText("after", help)
    .action(async (words: string[], options: RunOptions) => startRun(context, singleBead(words, run), options));
  run.hook("preSubcommand", refuseStartOptions);
  // After `--` stands a bead, even one that is called like a command.
  if (commandLine[0]?.startsWith("-") && commandLine.includes("--")) return run;
  return addSubcommands(run, context, groups, commandLine[0]);
}

const help = `
A bead has one run at a time: if it was interrupted it goes on, if it waits for you the reason is told.
A bead that waits for others (clew bead dep tree) is refused, unless it is to be run --anyway. Of its own status
and deferral no account is taken: whoever names the bead means it.
A bead that is called like a command: clew run -- list

Exit codes: 0 completed, 1 failed or cancelled, 3 blocked, 4 waits for your approval or permission, or has reached a limit, 130 interrupted.

Examples:
  $ clew run proj-a3f
  $ clew run diff proj-a3f
  $ clew run approve proj-a3f
  $ clew run changes proj-a3f -m "Handle an empty name, too"
  $ clew run proj-a3f --grimoire implement-bead --var test_command="make check"
  $ clew run retry proj-a3f --input test_command="npm test"
  $ clew run proj-a3f --max-cost 2.50 --max-time 30m

Limits hold for the whole run, over all its agents; waiting for you costs no time. When one is reached the agent is
stopped, nothing is lost, and clew run retry ID with a higher one goes on.

A run is named by its id, a unique prefix, its bead, or latest.`;

/** Options of the start that stand behind a subcommand would be dropped without a word. */
function refuseStartOptions(run: Command, subcommand: Command): void {
  const isOwn = (name: string): boolean => subcommand.options.some((option) => option.attributeName() === name);
  const stray = run.options.find(
    (option) => run.getOptionValueSource(option.attributeName()) === "cli" && !isOwn(option.attributeName()),
  );
  if (!stray || stray.long === "--json") return;
  const what = `clew run ${subcommand.name()} takes no ${stray.long}`;
  throw new ClewError(
    "usage",
    what,
    `clew run ${subcommand.name()} --help shows what it takes; a run keeps what it was started with`,
  );
}

function singleBead([bead, ...more]: string[], run: Command): string {
  if (bead === undefined) {
    throw new ClewError("usage", "which bead?", "clew run BEAD-ID works on one, clew run list shows the runs");
  }
  if (more.length === 0) return bead;
  if (nearestCommand(bead, subcommandNames) !== undefined) throw unknownCommand(bead, run);
  throw new ClewError("usage", "one bead at a time", "clew run BEAD-ID");
}

async function startRun(context: CliContext, bead: string, { json = false, ...options }: RunOptions): Promise<void> {
  const { var: variables = {}, grimoire, engine, target, anyway } = options;
  const { drive } = await import("./run/drive.ts");
  const start = context.api.runs.start({ bead, variables, grimoire, engine, target, anyway, ...limitsOf(options) });
  const { run_id: runId, is_new: isNew } = await start.catch(async (error: unknown) => {
    throw error instanceof ClewError && error.code === "unknown_bead"
      ? await explainNoBead(context.api, bead, error)
      : error;
  });
  const ignoredOptions = Object.keys(options).map(
    (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
  if (!isNew && ignoredOptions.length > 0) {
    context.output.say(`run ${runId} goes on as it was started, without regard to ${ignoredOptions.join(", ")}`);
  }
  if (!isNew) await (await import("./run/warn-of-changes.ts")).warnOfChanges(context, runId);
  await drive(context, { runId, from: isNew ? "beginning" : "now", json });
}

/** The word that names no bead may be a run, or a misspelt command. */
async function explainNoBead(api: Api, word: string, error: ClewError): Promise<ClewError> {
  const run = await api.runs.find({ run: word }).catch(() => undefined);
  if (run?.run_id === word) {
    return new ClewError("usage", `${word} is a run, not a bead`, `clew run resume ${word} goes on with it`);
  }
  const suggestion = nearestCommand(word, subcommandNames);
  // The suggestion of a bead is as good as that of a command.
  if (suggestion === undefined || error.hint.startsWith("did you mean")) return error;
  return new ClewError("usage", `'${word}' is neither a bead nor a command`, `did you mean ${suggestion}?`);
}
