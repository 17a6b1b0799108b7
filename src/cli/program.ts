import { Command } from "commander";
// The most frequent command is part of the program itself: one file less to open.
import { define as defineSession } from "./commands/session.ts";
import type { CliContext } from "./context.ts";

/** `words`: what follows the command's name, for those that have many subcommands and define only the one called. */
type Define = (context: CliContext, words?: string[]) => Command | Promise<Command>;

interface Entry {
  summary: string;
  /** Each command is a file of its own, read only when it is called. */
  load: () => Promise<{ define: Define }>;
}

const commands: Record<string, Entry> = {
  init: { summary: "set up .clew/ in this git repository", load: () => import("./commands/init.ts") },
  status: {
    summary: "what needs you, what runs, is paused, is ready, ended",
    load: () => import("./commands/status.ts"),
  },
  session: { summary: "start, log, list, show and resume sessions", load: async () => ({ define: defineSession }) },
  inbox: { summary: "what waits for a person, and answering it", load: () => import("./commands/inbox.ts") },
  search: { summary: "full text over all sessions", load: () => import("./commands/search.ts") },
  bead: {
    summary: "tasks: make, list, show and close them, and what they wait for",
    load: () => import("./commands/bead.ts"),
  },
  grimoire: { summary: "workflows: list, show, check and preview them", load: () => import("./commands/grimoire.ts") },
  run: {
    summary: "work on a bead by its grimoire; list, show and resume runs",
    load: () => import("./commands/run.ts"),
  },
  daemon: { summary: "work on all ready beads, several at once", load: () => import("./commands/daemon.ts") },
  worktree: { summary: "worktrees of runs: list, prune and remove them", load: () => import("./commands/worktree.ts") },
  spell: { summary: "prompts: render one over any data", load: () => import("./commands/spell.ts") },
  index: { summary: "check or rebuild the index of sessions", load: () => import("./commands/index.ts") },
  doctor: { summary: "check everything Clew relies on, and repair it", load: () => import("./commands/doctor.ts") },
  config: { summary: "settings and where each comes from", load: () => import("./commands/config.ts") },
  version: { summary: "print the version", load: () => import("./commands/version.ts") },
  demo: { summary: "the story of one session, in a throw-away repository", load: () => import("./commands/demo.ts") },
};
const aliases: Record<string, string> = { wsession: "session" };

/** The program with the one command that is called, or with all of them when completion has to know them. */
export async function buildProgram(context: CliContext, argv: string[]): Promise<Command> {
  const program = new Command("clew")
    .description("The thread through agents' work: sessions you can read, and proof instead of promises.")
    .version(context.version, "-V, --version", "print the version")
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .addHelpText(
      "after",
      `\nLong output goes through CLEW_PAGER, PAGER or less; --no-pager, with any command, turns that off.\n\nExamples:\n${examples.map((line) => `  $ ${line}`).join("\n")}\n`,
    );
  const word = argv.find((word) => !word.startsWith("-")) ?? "";
  const name = aliases[word] ?? word;
  const needsAll = word === "completion" || word === "complete";
  for (const [commandName, { summary, load }] of Object.entries(commands)) {
    if (needsAll || commandName === name) {
      const words = needsAll ? undefined : argv.slice(argv.indexOf(word) + 1);
      const command = (await (await load()).define(context, words)).summary(summary);
      if (commandName === "session") command.alias("wsession");
      program.addCommand(command);
    } else program.command(commandName).description(summary);
  }
  if (needsAll) await (await import("./completion.ts")).mountCompletion(program, context);
  else program.command("completion").description("completion for bash, zsh, fish or powershell");
  program.command("help").description("help for a command: clew help run approve");
  return program;
}

const examples = [
  "clew demo                             see what it does, in half a minute",
  'clew session start "Fix the login"    begin a session in this repository',
  "clew                                  how things stand in this repository",
];
