import { Command } from "commander";
// The most frequent command is part of the program itself: one file less to open.
import { define as defineSession } from "./commands/session.ts";
import type { CliContext } from "./context.ts";

/** `words` follow the command's name: a command with many subcommands defines only the one that is called. */
type Define = (context: CliContext, words?: string[]) => Command | Promise<Command>;

/** Each command is a file of its own, read only when it is called. */
const commands: Record<string, [summary: string, load: () => Promise<{ define: Define }>]> = {
  init: ["set up .clew/ in this git repository", () => import("./commands/init.ts")],
  status: ["what needs you, what runs, is paused, is ready, ended", () => import("./commands/status.ts")],
  session: ["start, log, list, show and resume sessions", async () => ({ define: defineSession })],
  inbox: ["what waits for a person, and answering it", () => import("./commands/inbox.ts")],
  rehydrate: ["where an agent stands: step, notes, decisions, token", () => import("./commands/rehydrate.ts")],
  search: ["full text over all sessions", () => import("./commands/search.ts")],
  bead: ["tasks: make, list, show and close them, and what they wait for", () => import("./commands/bead.ts")],
  grimoire: ["workflows: list, show, check and preview them", () => import("./commands/grimoire.ts")],
  run: ["work on a bead by its grimoire; list, show and resume runs", () => import("./commands/run.ts")],
  work: [
    "have an agent work on a bead in this checkout, over many engine sessions",
    () => import("./commands/work.ts"),
  ],
  daemon: ["work on all ready beads in the background, and serve other programs", () => import("./commands/daemon.ts")],
  ai: ["talk with an agent of any engine; the talk is a session", () => import("./commands/ai.ts")],
  worktree: ["worktrees of runs: list, prune and remove them", () => import("./commands/worktree.ts")],
  engine: ["which engines are installed, logged in, and what each can", () => import("./commands/engine.ts")],
  evidence: ["what Clew saw agents do in runs", () => import("./commands/evidence.ts")],
  hooks: ["have agents that you start become sessions by themselves", () => import("./commands/hooks.ts")],
  policy: ["rules about what agents may do, and which decides", () => import("./commands/policy.ts")],
  trust: ["let what this repository loosens count, as it stands now", () => import("./commands/trust.ts")],
  hook: ["what engines call at each step of an agent", () => import("./commands/hook.ts")],
  mcp: ["the MCP server: how an agent hands in its result", () => import("./commands/mcp.ts")],
  spell: ["prompts: render one over any data", () => import("./commands/spell.ts")],
  index: ["check or rebuild the index of sessions", () => import("./commands/index.ts")],
  doctor: ["check everything Clew relies on, and repair it", () => import("./commands/doctor.ts")],
  config: ["settings and where each comes from", () => import("./commands/config.ts")],
  version: ["print the version", () => import("./commands/version.ts")],
  demo: ["the story of one session, in a throw-away repository", () => import("./commands/demo.ts")],
};
const aliases: Record<string, string> = { wsession: "session" };

/** The program with the one command that is called, or with all of them when completion has to know them. */
export async function buildProgram(context: CliContext, argv: string[]): Promise<Command> {
  const program = new Command("clew")
    .description("The thread through agents' work: sessions you can read, and proof instead of promises.")
    .version(context.program.version, "-V, --version", "print the version")
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .addHelpText(
      "after",
      `\nLong output goes through CLEW_PAGER, PAGER or less; --no-pager, with any command, turns that off.\n\nExamples:\n${examples.map((line) => `  $ ${line}`).join("\n")}\n`,
    );
  const word = argv.find((each) => !each.startsWith("-")) ?? "";
  const name = aliases[word] ?? word;
  const needsAll = word === "completion" || word === "complete";
  for (const [commandName, [summary, load]] of Object.entries(commands)) {
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
