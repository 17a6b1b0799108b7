import { processContext } from "../cli/process-context.ts";
import { run } from "../cli/run.ts";
import { sayWarnings } from "../cli/say-warnings.ts";
import { ProgressLine } from "../cli/terminal/progress.ts";
import { explainError } from "../adapters/files/failure.ts";
import { readRegular } from "../adapters/files/regular-file.ts";
import { removeRepositoryVariables } from "../adapters/git/environment.ts";
import { lazily } from "./lazily.ts";
import { openOperations } from "./operations.ts";
import type { Program } from "./program.ts";

/** Runs the program in this process and ends it. */
export async function start(argv: string[], program: Program): Promise<void> {
  removeRepositoryVariables(process.env);
  const progress = new ProgressLine();
  const { api, close } = openOperations({
    cwd: process.cwd(),
    env: process.env,
    program,
    progress: (...args) => progress.show(...args),
    warn: (message) => context.output.say(`warning: ${message}`),
  });
  const mcp = lazily(async () => {
    const { mcpFront } = await import("../mcp/front.ts");
    return mcpFront(program.version, process.env);
  });
  const context = processContext({
    api,
    program: { version: program.version, mcp },
    readFile: (path: string) => readRegular(path),
    progress,
  });
  sayWarnings((text) => context.output.say(text), process.env);
  // Should the program ever stop waiting for something that never comes, that must not look like success.
  process.exitCode = 1;
  const code = await run(argv, context, explainError);
  progress.clear();
  await close();
  process.exitCode = code;
}
