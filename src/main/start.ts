import { processContext } from "../cli/process-context.ts";
import { run } from "../cli/run.ts";
import type { App } from "../app/app.ts";
import { progressLine } from "../cli/terminal/progress.ts";
import { openApp } from "./wire.ts";

/** Runs the program in this process and ends it. */
export async function start(argv: string[], version: string): Promise<void> {
  // Whoever reads the output may stop reading: `clew session list | head` is no failure.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  const progress = progressLine(process.stderr);
  let app: App | undefined;
  const open = async (): Promise<App> => {
    app = await openApp({ cwd: process.cwd(), env: process.env, progress: (...told) => progress.show(...told) });
    return app;
  };
  const context = processContext(open, version);
  const code = await run(argv, context);
  progress.clear();
  await app?.close();
  // An interrupted command leaves a stdin behind that would keep the process waiting.
  process.stdin.destroy();
  process.exitCode = code;
}
