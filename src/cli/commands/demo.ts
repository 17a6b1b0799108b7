import { Command } from "commander";
import type { CliContext, JsonOption } from "../context.ts";

interface DemoOptions extends JsonOption {
  keep?: string;
  engine?: string;
  yes?: boolean;
}

export function define(context: CliContext): Command {
  return new Command("demo")
    .description(
      "Tells the story of a session, and of a task up to its merge, in a throw-away repository that needs nothing.",
    )
    .option("--keep <dir>", "keep the repository in this new folder, to look around in")
    .option("--engine <name>", "play it with your own agent, such as claude: asked first, because it costs money")
    .option("-y, --yes", "do not ask about the cost; needed where there is no terminal")
    .option("--json", "play it without telling, and print JSON")
    .addHelpText("after", "\nExamples:\n  $ clew demo\n  $ clew demo --keep ./clew-demo\n  $ clew demo --engine claude")
    .action(async ({ keep, engine, yes, json }: DemoOptions) => {
      const { allowEngine } = await import("../demo/allow-engine.ts");
      const agent = engine === undefined ? undefined : await allowEngine(context, engine, yes);
      const { playDemo } = await import("../demo/play.ts");
      const demoContext = json ? silent(context) : context;
      const result = await playDemo(demoContext, { keep, engine: agent });
      context.exitCode = demoContext.exitCode;
      if (json && result) await context.output.writeJson(result);
    });
}

function silent(context: CliContext): CliContext {
  const { input, output } = context;
  return {
    ...context,
    input: { ...input, interactive: false },
    output: { ...output, write: async () => undefined },
  };
}
