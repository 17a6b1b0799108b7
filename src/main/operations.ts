import type { SettingFiles } from "../app/config/ports.ts";
import type { Asker } from "../app/run/ports.ts";
import type { Progress } from "../app/search/projection.ts";
import type { Api } from "../contract/api/api.ts";
import { openApi } from "./api.ts";
import type { App } from "./app.ts";
import { closeIfMade, once } from "./once.ts";
import type { Program } from "./program.ts";
import type { Definitions } from "./wire-definitions.ts";

/** Where the program was called, and who hears from it. */
export interface Surrounding {
  cwd: string;
  env: Record<string, string | undefined>;
  program: Program;
  progress: Progress;
  /** Tells the person what need not stop the command. */
  warn: (message: string) => void;
  /** Who asks this process, when it is not called by itself. That one names no files of this machine. */
  asker?: Asker;
}

export interface Operations {
  api: Api;
  close: () => Promise<void>;
}

/** All operations, as they are in the repository around a folder. What one needs is put together when it is asked. */
export function openOperations(surrounding: Surrounding): Operations {
  const { asker } = surrounding;
  const app = once(async (): Promise<App> => {
    const { openApp } = await import("./wire.ts");
    return openApp({ ...surrounding, openOperations });
  });
  const definitions = async (): Promise<Definitions> => {
    const { openDefinitions } = await import("./wire-definitions.ts");
    return openDefinitions({ ...surrounding, byNameOnly: asker !== undefined });
  };
  const engines = async (): Promise<Api["engines"]> => (await import("./wire-engines.ts")).openEngineApi(surrounding);
  const settingFiles = async (): Promise<SettingFiles> =>
    (await import("./wire-settings.ts")).openSettings(surrounding);
  return {
    api: openApi({ app, definitions, engines, settingFiles }),
    close: () => closeIfMade(app, (each) => each.close()),
  };
}
