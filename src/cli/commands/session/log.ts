import { InvalidArgumentError, Option, type Command } from "commander";
import type { BatchAnswer, SessionsApi } from "../../../contract/api/session.ts";
import { ClewError } from "../../../contract/errors.ts";
import { subagentModes } from "../../../contract/session-values.ts";
import { print, type CliContext, type Input } from "../../context.ts";
import { readInput, readJsonInput } from "../../read-input.ts";
import { unknownCommand } from "../../unknown-command.ts";
import { sessionOption, type SessionOptions } from "./session-name.ts";
import { jsonLines } from "../../terminal/clean.ts";

const tasksForm = 'such as [{"id":"1","content":"…","status":"pending"}]';

export function defineLog(session: Command, context: CliContext): void {
  const log = addSessionOptions(session.command("log"))
    .enablePositionalOptions()
    .description("Logs what happens. Each entry is on disk when the command returns.")
    .option(
      "--batch",
      "read JSON lines from stdin, one entry each, and acknowledge each; results of tool calls are kept whole, to 256 KB",
    )
    .addHelpText(
      "after",
      '\nExamples:\n  $ clew session log phase Research --agent researcher@1.2\n  $ clew session log tool bash --args "npm test" --result "3 failing" --failed\n  $ agent | clew session log --batch --json',
    )
    .usage("[options] KIND …")
    .argument("[kind...]")
    .action(async (words: string[], { batch, session: name, json }: SessionOptions & { batch?: boolean }) => {
      if (words[0] !== undefined) throw unknownCommand(words[0], log);
      if (!batch)
        throw new ClewError("usage", "what is to be logged?", "clew session log --help lists the kinds of entries");
      await logBatchFromStdin(context, name, json ?? false);
    });

  const entry = (name: string, about: string, example: string): Command =>
    addSessionOptions(log.command(name))
      .description(about)
      .addHelpText("after", `\nExample:\n  $ clew session log ${example}`);
  const write = async (options: SessionOptions, value: unknown): Promise<void> =>
    logOne(context, { ...log.opts<SessionOptions>(), ...options }, value);

  entry("phase", "Opens a phase; what follows belongs to it.", "phase Research --agent researcher@1.2 --channel dev")
    .argument("<name>", "the phase's title")
    .option("--agent <name[@version]>", "who works in it")
    .option("--channel <name>", "where")
    .action((title: string, { agent, channel, ...options }: SessionOptions & { agent?: string; channel?: string }) =>
      write(options, { kind: "phase", title, agent: agent?.replace(/^@/, ""), channel: channel?.replace(/^#/, "") }),
    );
  entry("tool", "A tool call.", 'tool bash --args "npm test" --result "3 failing" --failed')
    .argument("<name>", "the tool's name, without spaces")
    .option("--args <text>", "what it was called with")
    .option(
      "--result <text>",
      "what came back; session.md gets 100 characters of it, show --full and search the whole, to 256 KB",
    )
    .option("--failed", "it failed")
    .action(
      (
        name: string,
        { args, result, failed, ...options }: SessionOptions & { args?: string; result?: string; failed?: boolean },
      ) => write(options, { kind: "tool", name, args: args ?? "", result, failed: failed ?? false }),
    );
  const texts: [name: string, about: string, example: string][] = [
    ["text", "What the agent said.", 'text "The token check comes too late."'],
    ["decision", "A decision, where it was made.", 'decision "Use JWT with 15 minutes"'],
    ["decision_needed", "A decision that waits for a person; see clew inbox.", 'decision_needed "Drop the old table?"'],
    [
      "approval_required",
      "An approval that waits for a person; see clew inbox.",
      'approval_required "Deploy to staging?"',
    ],
    ["task_complete", "A task is done.", 'task_complete "Login fixed, 42 tests pass"'],
  ];
  for (const [kind, about, example] of texts) {
    entry(kind, about, example)
      .argument("<text>", "the text; - reads it from stdin")
      .action(async (text: string, options: SessionOptions) =>
        write(options, { kind, text: await textOrStdin(context.input, text) }),
      );
  }
  entry("error", "An error, and how it was solved.", 'error "Port 5432 in use" --resolution "moved to 5433"')
    .argument("<text>", "what went wrong; - reads it from stdin")
    .option("--resolution <text>", "how it was handled")
    .action(async (text: string, { resolution, ...options }: SessionOptions & { resolution?: string }) =>
      write(options, { kind: "error", text: await textOrStdin(context.input, text), resolution }),
    );
  entry("user", "What the user said, word for word.", 'user "No, use staging" --action "switched to staging"')
    .argument("<words>", "the exact words; - reads them from stdin")
    .option("--action <text>", "what was done about it")
    .action(async (text: string, { action, ...options }: SessionOptions & { action?: string }) =>
      write(options, { kind: "user", text: await textOrStdin(context.input, text), action }),
    );
  entry(
    "subagent",
    "Work of another agent, inside or in a session of its own.",
    'subagent --agent tester --mode inline --summary "all green"',
  )
    .requiredOption("--agent <name[@version]>", "who")
    .option("--model <name>", "the model used")
    .addOption(
      new Option("--mode <mode>", "inline, link or embed (default: the setting subagent_mode)").choices(subagentModes),
    )
    .option("--summary <text>", "what came of it; ends a linked subagent of the same name that is still at work")
    .option("--content <file>", "its work, from a file or - for stdin")
    .option("--tokens <n>", "tokens it used", readCount)
    .option("--child <id>", "its session, when there is one already")
    .action(
      async ({ agent, model, mode, summary, content, tokens, child, ...options }: SessionOptions & SubagentOptions) =>
        write(options, {
          kind: "subagent",
          agent: agent.replace(/^@/, ""),
          model,
          mode,
          summary,
          tokens,
          session: child,
          content: content === undefined ? undefined : await readInput(context.input, content),
        }),
    );
  entry("tasks", "The task list; the last one counts.", "tasks tasks.json")
    .argument("<file>", "JSON array of {id, content, status, priority}, or - for stdin")
    .action(async (file: string, options: SessionOptions) =>
      write(options, { kind: "tasks", tasks: await readJsonInput(context.input, file, tasksForm) }),
    );
  entry("tokens", "Tokens used.", "tokens 1200 --model opus")
    .argument("<n>", "how many", readCount)
    .option("--model <name>", "by which model")
    .action((tokens: number, { model, ...options }: SessionOptions & { model?: string }) =>
      write(options, { kind: "tokens", tokens, model }),
    );
}

interface SubagentOptions {
  agent: string;
  model?: string;
  mode?: string;
  summary?: string;
  content?: string;
  tokens?: number;
  child?: string;
}

function addSessionOptions(command: Command): Command {
  return command.option("-s, --session <id>", "the session").option("--json", "print JSON");
}

async function logOne(context: CliContext, { session, json }: SessionOptions, value: unknown): Promise<void> {
  // JSON leaves out options that are undefined. The operation checks whether the rest is an entry.
  const entry = JSON.parse(JSON.stringify(value)) as Parameters<SessionsApi["log"]>[0]["entry"];
  const result = await context.api.sessions.log({ session: sessionOption(context, session), entry });
  await print(context.output, json, result, () => result.id ?? "");
  if (context.terminal.onTerminal && !json)
    context.output.say(context.terminal.errorColors.dim(`logged in ${result.session_id}`));
}

/** Ctrl-C pauses the session, because its writer has gone. */
async function logBatchFromStdin(context: CliContext, name: string | undefined, json: boolean): Promise<void> {
  const { session_id: id } = await context.api.sessions.find({ session: sessionOption(context, name) });
  let refusedCount = 0;
  let loggedCount = 0;
  const work = async (): Promise<"done"> => {
    for await (const answers of await context.api.sessions.logLines({
      session: id,
      lines: context.input.stdinLines(),
    })) {
      const problems = answers.filter((answer) => "error" in answer);
      refusedCount += problems.length;
      loggedCount += answers.length - problems.length;
      if (json) await context.output.write(jsonLines(answers));
      else problems.forEach((problem) => sayRefused(context, problem));
    }
    return "done";
  };
  const outcome = await Promise.race([work(), context.input.untilInterrupted().then(() => "interrupted" as const)]);
  if (outcome === "interrupted") {
    await context.api.sessions.pause({ session: id });
    const message = `interrupted after ${loggedCount} entries; session ${id} is paused`;
    throw new ClewError("interrupted", message, `clew session resume ${id}`);
  }
  if (!json)
    await context.output.write(
      `${loggedCount} logged in ${id}${refusedCount > 0 ? `, ${refusedCount} refused` : ""}\n`,
    );
  if (refusedCount > 0) context.exitCode = 2;
}

function sayRefused(context: CliContext, answer: BatchAnswer): void {
  if ("error" in answer)
    context.output.say(`${context.terminal.errorColors.red("error:")} ${answer.error.message}\n  ${answer.error.hint}`);
}

async function textOrStdin(input: Input, text: string): Promise<string> {
  return text === "-" ? String(await input.readStdin()).replace(/\n$/, "") : text;
}

function readCount(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
