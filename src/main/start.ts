import { processContext } from "../cli/process-context.ts";
import { run } from "../cli/run.ts";
import type { App } from "../app/app.ts";
import { progressLine } from "../cli/terminal/progress.ts";
import { openApp } from "./wire.ts";

/** Runs the program in this process and ends it. */
export async function start(argv: string[], version: string): Promise<void> {
  const progress = progressLine();
  let app: App | undefined;
  const open = async (): Promise<App> => {
    app = await openApp({ cwd: process.cwd(), env: process.env, progress: (...told) => progress.show(...told) });
    return app;
  };
  const context = processContext(open, version);
  // Should the program ever stop waiting for something that never comes, that must not look like success.
  process.exitCode = 1;
  const code = await run(argv, context);
  progress.clear();
  await app?.close();
  process.exitCode = code;
}
