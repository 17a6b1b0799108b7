import type { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../../../context.ts";

export function defineNew(session: Command, context: CliContext): void {
  session
    .command("new")
    .description("Makes a session for turns (plan, approve, execute), and prints its folder.")
    .argument("<name>", "what it is about, in kebab-case: add-user-auth")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
The files that its agents are shown are listed in session.context, one path or pattern a line; .clew/global.context lists those of all
sessions. Then clew session plan -m TEXT has an agent write a plan, and clew session execute carries it out.

Example:
  $ clew session new add-user-auth`,
    )
    .action(async (name: string, { json }: JsonOption) => {
      const made = await context.api.turns.create({ name });
      if (made.namesake !== undefined)
        context.output.say(`there is one of that name already: ${made.namesake}; plain commands take the new one`);
      await print(context.output, json, made, () => made.path);
    });
}
