import { processContext } from "../cli/process-context.ts";
import { run } from "../cli/run.ts";
import type { App } from "../app/app.ts";
import type { Definitions } from "../app/definitions.ts";
import type { SettingFiles } from "../app/settings-port.ts";
import { progressLine } from "../cli/terminal/progress.ts";
import { explainFailure } from "../adapters/files/failure.ts";
import { readRegular } from "../adapters/files/regular-file.ts";
import { removeRepositoryVariables } from "../adapters/git/environment.ts";
import type { Program } from "./program.ts";

/** A full disk has a name wherever it was met, also by the program's own output. */
function explain(error: unknown): unknown {
  const { path, dest } = (error ?? {}) as NodeJS.ErrnoException & { dest?: string };
  return explainFailure(error, dest ?? path ?? "what was to be written");
}

/**
 * Node prints warnings and what nobody caught as they are, and libraries put data into them. Here they pass where all
 * output does; warnings are for whoever looks for a mistake in the program.
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
  const { version, builtins, engines } = program;
  removeRepositoryVariables(process.env);
  const progress = progressLine();
  let app: App | undefined;
  const open = async (): Promise<App> => {
    const { openApp } = await import("./wire.ts");
    app = await openApp({
      cwd: process.cwd(),
      env: process.env,
      program,
      progress: (...told) => progress.show(...told),
      warn: (message) => context.say(`warning: ${message}`),
    });
    return app;
  };
  const definitions = async (): Promise<Definitions> => {
    const { openDefinitions } = await import("./wire-definitions.ts");
    return openDefinitions({ cwd: process.cwd(), env: process.env, builtins, engines });
  };
  const settingFiles = async (): Promise<SettingFiles> => {
    const { openSettings } = await import("./wire-settings.ts");
    return openSettings({ cwd: process.cwd(), env: process.env });
  };
  const context = processContext({
    open,
    definitions,
    settingFiles,
    version,
    explain,
    readFile: (path) => readRegular(path),
    progress,
  });
  sayWarnings((text) => context.say(text), process.env);
  // Should the program ever stop waiting for something that never comes, that must not look like success.
  process.exitCode = 1;
  const code = await run(argv, context);
  progress.clear();
  await app?.close();
  process.exitCode = code;
}
