import type { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../../context.ts";

interface StartOptions extends JsonOption {
  channel?: string;
  agent?: string;
  model?: string;
}

export function defineStart(session: Command, context: CliContext): void {
  session
    .command("start")
    .description("Starts a session and prints its id.")
    .argument("<title>", "what it is about")
    .option("--channel <name>", "where it happens, such as dev")
    .option("--agent <name[@version]>", "who works")
    .option("--model <name>", "the model used")
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample:\n  $ clew session start "Fix the login" --channel dev --agent coder@2')
    .action(async (title: string, { json, channel, agent, model }: StartOptions) => {
      const result = await context.api.sessions.start({
        title,
        channel: channel?.replace(/^#/, ""),
        agent: agent?.replace(/^@/, ""),
        model,
      });
      await print(context.output, json, result, () => result.session_id);
    });
}
