import type { Command } from "commander";
import type { Api } from "../../../contract/api/api.ts";
import { ClewError } from "../../../contract/errors.ts";
import type { CliContext } from "../../context.ts";
import { addLimitOptions, limitsOf, type LimitOptions } from "../../limit-options.ts";
import { readCount } from "../../read-count.ts";
import { kindOfBead } from "../work/kind-of-bead.ts";
import { sessionOption, type SessionOptions } from "./session-name.ts";

interface ResumeOptions extends SessionOptions, LimitOptions {
  budget?: number;
  printContext?: boolean;
  engine?: string;
  model?: string;
  message?: string;
  quiet?: boolean;
  verbose?: boolean;
}

export function defineResume(session: Command, context: CliContext): void {
  addLimitOptions(session.command("resume"))
    .description("Goes on with a session and an agent: on the same engine, or on another from the record alone.")
    .argument("[id]", "the session")
    .option("-s, --session <id>", "the session")
    .option("-m, --message <text>", "what to tell the agent; without it, it goes on where the session stopped")
    .option("--engine <name>", "the engine: the one that the session had, or the configured one")
    .option("--model <name>", "the model, as the engine calls it")
    .option("--print-context", "print what an agent would be told of the session, and change nothing")
    .option("--budget <tokens>", "how long that may be, in tokens", readCount)
    .option("-q, --quiet", "print only the answer")
    .option("--verbose", "print every event of the agent, as JSON lines on stderr")
    .option("--json", "print JSON lines: the context, what the agent does, and how it ended")
    .addHelpText(
      "after",
      `
On a terminal it is a conversation: what you type goes to the agent, Ctrl-C pauses it. In a pipe, each line is a message.
A work session goes on with its bead, as clew work does. Where no engine is installed, the session is opened again and its
context printed.

Examples:
  $ clew session resume latest
  $ clew session resume latest --engine codex -m "Now write the tests"
  $ clew session resume latest --print-context --budget 8000`,
    )
    .action(async (name: string | undefined, options: ResumeOptions) => {
      const request = { session: sessionOption(context, name, options.session), budget: options.budget };
      if (options.printContext) return print(context, options, await context.api.sessions.context(request));
      const shown = await context.api.sessions.context(request);
      const { frontmatter } = await context.api.sessions.show({ session: shown.session_id });
      const { kind, bead, status, parent } = frontmatter;
      // A subagent's session has the bead of its agent's, which alone goes on with it.
      const isOwn = kind === "work" && bead !== undefined && parent === undefined;
      if (isOwn) return goOnWithWork(context, { session: shown.session_id, bead, status }, options);
      const stream = await talkOf(context, shown.session_id, options);
      if (!stream) return print(context, options, await context.api.sessions.resume(request));
      if (!options.quiet) await print(context, options, shown);
      const { talkInTerminal, talkExitCode } = await import("../ai/talk.ts");
      const ended = await talkInTerminal(context, stream, options);
      context.exitCode = talkExitCode(ended);
    });
}

/** Undefined where no engine was named and the session's own cannot be started: then the session is only opened again. */
async function talkOf(
  { api, input, output }: CliContext,
  session: string,
  options: ResumeOptions,
): Promise<Awaited<ReturnType<Api["agents"]["resume"]>> | undefined> {
  const { engine, model, message, budget } = options;
  try {
    return await api.agents.resume({
      session,
      one_shot: message !== undefined && !input.interactive,
      ...(engine !== undefined && { engine }),
      ...(model !== undefined && { model }),
      ...(message !== undefined && { prompt: message }),
      ...(budget !== undefined && { budget }),
      ...limitsOf(options),
    });
  } catch (error) {
    const isMissing = error instanceof ClewError && error.code === "invalid_config" && engine === undefined;
    if (!isMissing) throw error;
    output.say(`${error.message}; the session is open again, and this is what any agent needs to go on`);
    return undefined;
  }
}

/** A work session goes on as its bead's work. Throws when that is over: no agent is paid for work that is done. */
async function goOnWithWork(
  context: CliContext,
  { session, bead, status }: { session: string; bead: string; status: string },
  options: ResumeOptions,
): Promise<void> {
  const { workInTerminal, workExitCodes } = await import("../work/show-work.ts");
  const { engine, model } = options;
  const { bead: shown } = await context.api.beads.show({ bead });
  const isClosed = shown.status === "closed";
  if (isClosed || status === "completed" || status === "abandoned") {
    const why = isClosed ? `its bead ${bead} is closed` : `it was ${status}`;
    const hint = isClosed ? `clew bead reopen ${bead} takes it up again, then ` : "";
    throw new ClewError(
      "not_possible_now",
      `the work of ${session} is over: ${why}`,
      `${hint}clew work ${bead} begins a session of its own; --print-context shows what this one knew`,
    );
  }
  const stream = await context.api.work.drive({
    kind: await kindOfBead(context, shown.id),
    bead: shown.id,
    session,
    ...(engine !== undefined && { engine }),
    ...(model !== undefined && { model }),
    ...limitsOf(options),
  });
  context.exitCode = workExitCodes[(await workInTerminal(context, stream, options)).reason];
}

async function print(
  { output }: CliContext,
  { json }: ResumeOptions,
  result: Awaited<ReturnType<Api["sessions"]["context"]>>,
): Promise<void> {
  if (json) return output.writeJson(result);
  await output.write(Buffer.from(result.text.endsWith("\n") ? result.text : `${result.text}\n`));
}
