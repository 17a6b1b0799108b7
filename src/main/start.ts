import { processContext } from "../cli/process-context.ts";
import { run } from "../cli/run.ts";
import { sayWarnings } from "../cli/say-warnings.ts";
import type { App } from "./app.ts";
import type { SettingFiles } from "../app/config/ports.ts";
import type { Api } from "../contract/api/api.ts";
import { ProgressLine } from "../cli/terminal/progress.ts";
import { explainError } from "../adapters/files/failure.ts";
import { readRegular } from "../adapters/files/regular-file.ts";
import { removeRepositoryVariables } from "../adapters/git/environment.ts";
import { openApi } from "./api.ts";
import { lazily } from "./lazily.ts";
import { closeIfMade, once } from "./once.ts";
import type { Program } from "./program.ts";
import type { Definitions } from "./wire-definitions.ts";

/** Runs the program in this process and ends it. */
export async function start(argv: string[], program: Program): Promise<void> {
  removeRepositoryVariables(process.env);
  const progress = new ProgressLine();
  const app = once(async (): Promise<App> => {
    const { openApp } = await import("./wire.ts");
    return openApp({
      cwd: process.cwd(),
      env: process.env,
      program,
      progress: (...args) => progress.show(...args),
      warn: (message) => context.output.say(`warning: ${message}`),
    });
  });
  const definitions = async (): Promise<Definitions> => {
    const { openDefinitions } = await import("./wire-definitions.ts");
    return openDefinitions({ cwd: process.cwd(), env: process.env, program });
  };
  const engines = async (): Promise<Api["engines"]> => {
    const { openEngineApi } = await import("./wire-engines.ts");
    return openEngineApi({ cwd: process.cwd(), env: process.env, program });
  };
  const settingFiles = async (): Promise<SettingFiles> => {
    const { openSettings } = await import("./wire-settings.ts");
    return openSettings({ cwd: process.cwd(), env: process.env });
  };
  const mcp = lazily(async () => {
    const { mcpFront } = await import("../mcp/front.ts");
    return mcpFront(program.version, process.env);
  });
  const context = processContext({
    api: openApi({ app, definitions, engines, settingFiles }),
    program: { version: program.version, mcp },
    readFile: (path: string) => readRegular(path),
    progress,
  });
  sayWarnings((text) => context.output.say(text), process.env);
  // Should the program ever stop waiting for something that never comes, that must not look like success.
  process.exitCode = 1;
  const code = await run(argv, context, explainError);
  progress.clear();
  await closeIfMade(app, (each) => each.close());
  process.exitCode = code;
}
