import type { Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext } from "../../context.ts";
import { readCount } from "../../read-count.ts";
import { chosenSession } from "./chosen.ts";

interface ResumeOptions {
  session?: string;
  budget?: number;
  printContext?: boolean;
  engine?: string;
  json?: boolean;
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
        throw new ClewError(
          "not_available",
          `this version of clew does not start engines, so it cannot go on with ${options.engine}`,
          "clew session resume ID --print-context prints what you can hand to any agent",
        );
      }
      const request = { session: chosenSession(context, name, options.session), budget: options.budget };
      const resumed = await (options.printContext
        ? context.api.sessions.context(request)
        : context.api.sessions.resume(request));
      if (options.json) return print(context, true, resumed, () => "");
      await context.write(Buffer.from(resumed.text.endsWith("\n") ? resumed.text : `${resumed.text}\n`));
    });
}
