import type { SettingFiles } from "../app/config/ports.ts";
import type { Api } from "../contract/api/api.ts";
import { openApi } from "./api.ts";
import type { App, Operations, Surrounding } from "./app.ts";
import { closeIfMade, once } from "./once.ts";
import type { Definitions } from "./wire-definitions.ts";

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
