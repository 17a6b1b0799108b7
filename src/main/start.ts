import { processContext } from "../cli/process-context.ts";
import { run } from "../cli/run.ts";
import type { App } from "./app.ts";
import type { Definitions } from "../app/grimoire/definitions.ts";
import type { SettingFiles } from "../app/config/ports.ts";
import { ProgressLine } from "../cli/terminal/progress.ts";
import { explainFailure } from "../adapters/files/failure.ts";
import { ClewError } from "../contract/errors.ts";
import { readRegular } from "../adapters/files/regular-file.ts";
import { removeRepositoryVariables } from "../adapters/git/environment.ts";
import { openApi } from "./api.ts";
import type { Program } from "./program.ts";

/** A full disk has a name wherever it was met, also by the program's own output. */
function explain(error: unknown): unknown {
  const { path, dest, code } = (error ?? {}) as NodeJS.ErrnoException & { dest?: string };
  const place = dest ?? path ?? "what was to be written";
  if (code === "ENOTDIR" || code === "EEXIST") {
    const message = `${place}: a file is in the way, where a folder belongs`;
    return new ClewError("unreadable_file", message, "move it aside, then repeat the command", { cause: error });
  }
  return explainFailure(error, place);
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
  const progress = new ProgressLine();
  let opened: Promise<App> | undefined;
  const open = async (): Promise<App> => {
    const { openApp } = await import("./wire.ts");
    return openApp({
      cwd: process.cwd(),
      env: process.env,
      program,
      progress: (...told) => progress.show(...told),
      warn: (message) => context.say(`warning: ${message}`),
    });
  };
  const app = (): Promise<App> => (opened ??= open());
  const definitions = async (): Promise<Definitions> => {
    const { openDefinitions } = await import("./wire-definitions.ts");
    return openDefinitions({ cwd: process.cwd(), env: process.env, builtins, engines });
  };
  const settingFiles = async (): Promise<SettingFiles> => {
    const { openSettings } = await import("./wire-settings.ts");
    return openSettings({ cwd: process.cwd(), env: process.env });
  };
  const context = processContext({
    api: openApi({ app, definitions, settingFiles }),
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
  // What could not be opened need not be closed; whoever asked for it was told.
  await opened?.then(
    (each) => each.close(),
    () => undefined,
  );
  process.exitCode = code;
}
