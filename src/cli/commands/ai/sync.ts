import type { Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import type { Json } from "../../../contract/json.ts";
import type { CliContext, JsonOption } from "../../context.ts";

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
      const value = result === undefined ? undefined : await readResult(context, result);
      await context.output.writeJson(
        await context.api.work.sync({ cookie, ...(value !== undefined && { result: value }) }),
      );
    });
}

async function readResult({ input }: CliContext, path: string): Promise<Json> {
  const bytes = path === "-" ? await input.readStdin() : input.readFile(path);
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8")) as Json;
  } catch (cause) {
    const place = path === "-" ? "stdin" : path;
    const hint = 'such as {"success": true, "summary": "…"}';
    throw new ClewError("invalid_input", `the result in ${place} is no JSON`, hint, { cause });
  }
}
