import type { Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import type { CliContext } from "../../context.ts";
import { readCount } from "../../read-count.ts";
import { sessionOption, type SessionOptions } from "./session-name.ts";

interface ResumeOptions extends SessionOptions {
  budget?: number;
  printContext?: boolean;
  engine?: string;
}

export function defineResume(session: Command, context: CliContext): void {
  session
    .command("resume")
    .description("Opens a session again and prints what an agent needs to go on. --print-context only prints.")
    .argument("[id]", "the session")
    .option("-s, --session <id>", "the session")
    .option("--print-context", "print the context and change nothing")
    .option("--budget <tokens>", "how long the context may be, in tokens", readCount)
    .option("--engine <name>", "the agent program to go on with")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew session resume latest --print-context --budget 8000")
    .action(async (name: string | undefined, options: ResumeOptions) => {
      if (options.engine !== undefined) {
        const message = `this version of clew does not start engines, so it cannot go on with ${options.engine}`;
        const hint = "clew session resume ID --print-context prints what you can hand to any agent";
        throw new ClewError("not_available", message, hint);
      }
      const request = { session: sessionOption(context, name, options.session), budget: options.budget };
      const result = await (options.printContext
        ? context.api.sessions.context(request)
        : context.api.sessions.resume(request));
      if (options.json) return context.output.writeJson(result);
      await context.output.write(Buffer.from(result.text.endsWith("\n") ? result.text : `${result.text}\n`));
    });
}
