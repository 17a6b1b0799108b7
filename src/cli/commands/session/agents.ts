import type { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { viewSessionAgents } from "../../terminal/session-agent-view.ts";

const sessionArgument = "the session's id, a unique prefix, or latest";

/** What a person does with agents that work in work sessions and talks, whichever process drives them. */
export function defineSessionAgents(session: Command, context: CliContext): void {
  const wantsJson = ({ json }: JsonOption): boolean => json ?? session.opts<JsonOption>().json ?? false;

  session
    .command("agents")
    .description("Lists the agents that work in work sessions and talks now: engine, what each is at.")
    .argument("[id]", `${sessionArgument}; without it, all sessions`)
    .option("--json", "print JSON: {agents}, each with its last ten activities")
    .addHelpText("after", "\nExample:\n  $ clew session agents\n\nThose of runs: clew run agents")
    .action(async (name: string | undefined, options: JsonOption) => {
      const answer = await context.api.sessions.agents({ session: name });
      await print(context.output, wantsJson(options), answer, () => viewSessionAgents(context.terminal, answer.agents));
    });

  session
    .command("send")
    .description("Sends a further message to the agent of a work session or a talk.")
    .argument("<id>", sessionArgument)
    .argument("<text>", "what the agent is told; secrets in it are redacted first, as in all that is kept")
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample:\n  $ clew session send latest "Leave the public names as they are"')
    .action(async (name: string, text: string, options: JsonOption) => {
      const receipt = await context.api.sessions.sendToAgent({ session: name, text });
      await print(context.output, wantsJson(options), receipt, () => `${cleanLine(receipt.session_id)}: delivered`);
    });

  session
    .command("stop-agent")
    .description("Stops the agent of a work session or a talk: its session is paused, and can go on.")
    .argument("<id>", sessionArgument)
    .option("--kill", "end it at once, without letting it finish what it is at")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session stop-agent latest")
    .action(async (name: string, { kill, ...options }: JsonOption & { kill?: boolean }) => {
      const receipt = await context.api.sessions.stopAgent({ session: name, kill });
      await print(context.output, wantsJson(options), receipt, () => `${cleanLine(receipt.session_id)}: told to stop`);
    });
}
