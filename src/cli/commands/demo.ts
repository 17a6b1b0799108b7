import { Command } from "commander";
import type { CliContext } from "../context.ts";

export function define(context: CliContext): Command {
  return new Command("demo")
    .description("Tells the story of one session in a throw-away repository. Needs nothing and leaves nothing behind.")
    .option("--keep <dir>", "keep the repository in this new folder, to look around in")
    .addHelpText("after", "\nExamples:\n  $ clew demo\n  $ clew demo --keep ./clew-demo")
    .action(async ({ keep }: { keep?: string }) => {
      const { playDemo } = await import("../demo/play.ts");
      await playDemo(context, keep);
    });
}
