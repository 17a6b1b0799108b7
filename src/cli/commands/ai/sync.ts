import type { Command } from "commander";
import type { Json } from "../../../contract/json.ts";
import type { CliContext, JsonOption } from "../../context.ts";
import { readJsonInput } from "../../read-input.ts";

interface SyncOptions extends JsonOption {
  cookie: string;
  result?: string;
}

export function defineSync(ai: Command, context: CliContext): void {
  ai.command("sync")
    .description("Tells the agent of a work session its task; with the result of the current one, the next.")
    .requiredOption("--cookie <id>", "the work session, as the prompt names it")
    .option("--result <file>", "the result of the current task as JSON, from a file or from stdin (-)")
    .option("--json", "print JSON, as it always does")
    .addHelpText(
      "after",
      `
Prints {"done", "task", "session"}: with done true nothing is left; else task.prompt is what to work on.

Example:
  $ echo '{"success": true, "summary": "Mended the login."}' | clew ai sync --cookie 2026-11-17-login --result -`,
    )
    .action(async ({ cookie, result }: SyncOptions) => {
      const form = 'such as {"success": true, "summary": "…"}';
      const value = result === undefined ? undefined : ((await readJsonInput(context.input, result, form)) as Json);
      await context.output.writeJson(
        await context.api.work.sync({ cookie, ...(value !== undefined && { result: value }) }),
      );
    });
}
