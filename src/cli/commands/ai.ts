import { Command, Option } from "commander";
import { permissionLevels } from "../../contract/engine-abilities.ts";
import { ClewError } from "../../contract/errors.ts";
import { engineName } from "../../contract/run.ts";
import type { CliContext } from "../context.ts";
import { addLimitOptions, limitsOf } from "../limit-options.ts";
import { defineSync } from "./ai/sync.ts";
import { talkExitCode, talkInTerminal, type AiOptions } from "./ai/talk.ts";

export function define(context: CliContext): Command {
  const ai = addLimitOptions(new Command("ai"));
  defineSync(ai, context);
  return ai
    .description("Talks with an agent of any engine, and records the talk as a session.")
    .argument("<engine>", "claude, codex, gemini, qwen, … (clew engine list)")
    .argument("[prompt]", "what the agent is asked first")
    .option("--one-shot", "end after one answer")
    .option("--stdin", "read the prompt from stdin, and end after one answer")
    .option("--resume <id>", "go on with a session: Clew's id, or the engine's own")
    .option("--model <name>", "the model, as the engine calls it")
    .option("--agent <name>", "the agent in .clew/agents/NAME.md: its role, model, level, tools and limits")
    .addOption(
      new Option("--level <level>", "what it may do unasked: work, unless its agent says otherwise").choices(
        permissionLevels,
      ),
    )
    .option("-q, --quiet", "print only the answer")
    .option("--verbose", "print every event of the agent, as JSON lines on stderr")
    .option("--json", "print JSON lines: what the agent does, and how it ended")
    .addHelpText(
      "after",
      `
On a terminal it is a conversation: what you type goes to the agent, also while it works. An empty line or Ctrl-D ends
it, Ctrl-C pauses it. What goes beyond the level is asked here, and can be answered in clew inbox as well.
A reached limit pauses it too (exit 4): --resume with a higher one goes on. So does a permission that nobody
answers for as long as the setting permission_wait says: the agent is stopped, and asks again when it goes on.

Examples:
  $ clew ai claude "Why does the login test fail?"
  $ git diff | clew ai codex --stdin --one-shot --quiet
  $ clew ai claude --resume 2026-11-17-why-does-the-login-test-fail "Now mend it"`,
    )
    .action(async (engine: string, prompt: string | undefined, options: AiOptions) => {
      const text = await promptOf(context, engine, prompt, options);
      const { resume, model, level, agent } = options;
      const stream = await context.api.agents.talk({
        engine,
        prompt: text,
        one_shot: options.oneShot === true || options.stdin === true,
        ...(resume !== undefined && { resume }),
        ...(model !== undefined && { model }),
        ...(agent !== undefined && { agent }),
        ...(level !== undefined && { level }),
        ...limitsOf(options),
      });
      const ended = await talkInTerminal(context, stream, options);
      context.exitCode = talkExitCode(ended);
    });
}

async function promptOf(
  context: CliContext,
  engine: string,
  prompt: string | undefined,
  { stdin }: AiOptions,
): Promise<string> {
  if (stdin) {
    const input = (await context.input.readStdin()).toString("utf8");
    return prompt === undefined ? input : `${prompt}\n\n${input}`;
  }
  if (prompt !== undefined) return prompt;
  if (context.input.interactive) {
    context.output.say(`What should ${engine} do? (an empty line leaves)`);
    for await (const [line] of context.input.stdinLines()) {
      if (line?.trim()) return line;
      break;
    }
  }
  const name = engineName.test(engine) ? engine : "claude";
  const missing = name === engine ? "the prompt is missing" : "the engine is missing";
  throw new ClewError("usage", missing, `clew ai ${name} "What is this repository about?", or --stdin`);
}
