import { Command } from "commander";
import type { CliContext, JsonOption } from "../context.ts";

export function define(context: CliContext): Command {
  return new Command("demo")
    .description(
      "Tells the story of a session, and of a task up to its merge, in a throw-away repository that needs nothing.",
    )
    .option("--keep <dir>", "keep the repository in this new folder, to look around in")
    .option("--json", "play it without telling, and print JSON")
    .addHelpText("after", "\nExamples:\n  $ clew demo\n  $ clew demo --keep ./clew-demo")
    .action(async ({ keep, json }: JsonOption & { keep?: string }) => {
      const { playDemo } = await import("../demo/play.ts");
      const demoContext = json ? { ...context, interactive: false, write: async () => undefined } : context;
      const result = await playDemo(demoContext, keep);
      context.exitCode = demoContext.exitCode;
      if (json && result) await context.output.writeJson(result);
    });
}
