import type { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { viewAgents, viewDelivery } from "../../terminal/run-agent-view.ts";

const runArgument = "the run's id, a unique prefix, its bead, or latest";

/** What a person does with agents that work in runs, whichever process drives them. */
export function defineAgents(run: Command, context: CliContext): void {
  const wantsJson = ({ json }: JsonOption): boolean => json ?? run.opts<JsonOption>().json ?? false;

  run
    .command("agents")
    .description("Lists the agents that work in runs now: step, engine, what each is at.")
    .argument("[id]", `${runArgument}; without it, all runs`)
    .option("--json", "print JSON: {agents}, each with its last ten activities")
    .addHelpText("after", "\nExample:\n  $ clew run agents proj-a3f")
    .action(async (name: string | undefined, options: JsonOption) => {
      const answer = await context.api.runs.agents({ run: name });
      await print(context.output, wantsJson(options), answer, () => viewAgents(context.terminal, answer.agents));
    });

  run
    .command("send")
    .description("Sends a further message to the agent that works in a run.")
    .argument("<id>", runArgument)
    .argument("<text>", "what the agent is told; secrets in it are redacted first, as in all that is kept")
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample:\n  $ clew run send proj-a3f "Leave the public names as they are"')
    .action(async (name: string, text: string, options: JsonOption) => {
      const receipt = await context.api.runs.sendToAgent({ run: name, text });
      await print(context.output, wantsJson(options), receipt, () => viewDelivery(receipt, "delivered"));
    });

  run
    .command("stop-agent")
    .description("Stops the agent that works in a run: its step fails, and the run waits for you.")
    .argument("<id>", runArgument)
    .option("--kill", "end it at once, without letting it finish what it is at")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  $ clew run stop-agent proj-a3f\n\nTo give the whole run up: clew run cancel ID",
    )
    .action(async (name: string, { kill, ...options }: JsonOption & { kill?: boolean }) => {
      const receipt = await context.api.runs.stopAgent({ run: name, kill });
      await print(context.output, wantsJson(options), receipt, () => viewDelivery(receipt, "told to stop"));
    });
}
