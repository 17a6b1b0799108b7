import { processContext } from "../cli/process-context.ts";
import { run } from "../cli/run.ts";
import type { App } from "./app.ts";
import type { SettingFiles } from "../app/config/ports.ts";
import { ProgressLine } from "../cli/terminal/progress.ts";
import { explainError } from "../adapters/files/explain-error.ts";
import { readRegular } from "../adapters/files/regular-file.ts";
import { removeRepositoryVariables } from "../adapters/git/environment.ts";
import { openApi } from "./api.ts";
import type { Program } from "./program.ts";
import type { Definitions } from "./wire-definitions.ts";

/**
 * Node prints warnings and uncaught errors as they are, and libraries put data into them. Here they pass where all output
 * does; warnings are shown only with CLEW_DEBUG.
 */
function sayWarnings(say: (text: string) => void, env: NodeJS.ProcessEnv): void {
  process.removeAllListeners("warning");
  process.on("warning", ({ stack, message }) => {
    if (env["CLEW_DEBUG"]) say(stack ?? message);
  });
  process.on("uncaughtException", (error) => {
    say(String(error?.stack ?? error));
    process.exit(1);
  });
}

/** Runs the program in this process and ends it. */
export async function start(argv: string[], program: Program): Promise<void> {
  removeRepositoryVariables(process.env);
  const progress = new ProgressLine();
  let opened: Promise<App> | undefined;
  const open = async (): Promise<App> => {
    const { openApp } = await import("./wire.ts");
    return openApp({
      cwd: process.cwd(),
      env: process.env,
      program,
      progress: (...args) => progress.show(...args),
      warn: (message) => context.say(`warning: ${message}`),
    });
  };
  const app = (): Promise<App> => (opened ??= open());
  const definitions = async (): Promise<Definitions> => {
    const { openDefinitions } = await import("./wire-definitions.ts");
    return openDefinitions({ cwd: process.cwd(), env: process.env, program });
  };
  const settingFiles = async (): Promise<SettingFiles> => {
    const { openSettings } = await import("./wire-settings.ts");
    return openSettings({ cwd: process.cwd(), env: process.env });
  };
  const context = processContext({
    api: openApi({ app, definitions, settingFiles }),
    version: program.version,
    explain: explainError,
    readFile: (path) => readRegular(path),
    progress,
  });
  sayWarnings((text) => context.say(text), process.env);
  // Should the program ever stop waiting for something that never comes, that must not look like success.
  process.exitCode = 1;
  const code = await run(argv, context);
  progress.clear();
  // What could not be opened need not be closed; the command that asked for it was told.
  await opened?.then(
    (each) => each.close(),
    () => undefined,
  );
  process.exitCode = code;
}
