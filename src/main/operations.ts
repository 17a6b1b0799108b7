import type { SettingFiles } from "../app/config/ports.ts";
import type { HistoryParts } from "../app/grimoire/history.ts";
import type { Api } from "../contract/api/api.ts";
import { attempt } from "../text/attempt.ts";
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
    const history = async (): Promise<HistoryParts> => (await app()).workflowHistory();
    return openDefinitions({ ...surrounding, byNameOnly: asker !== undefined }, history);
  };
  const engines = async (): Promise<Api["engines"]> => (await import("./wire-engines.ts")).openEngineApi(surrounding);
  const hooks = async (): Promise<Api["hooks"]> => {
    const { repositoryAround } = await import("../adapters/git/repository.ts");
    // In a bare repository there is no checkout either.
    if (attempt(() => repositoryAround(surrounding.cwd), undefined)) return (await app()).hooks();
    return (await import("./wire-hooks.ts")).openUserHooks(surrounding);
  };
  const settingFiles = async (): Promise<SettingFiles> =>
    (await import("./wire-settings.ts")).openSettings(surrounding);
  return {
    api: openApi({ app, definitions, engines, hooks, settingFiles }),
    connectedRuns: async () => (await app()).connectedRuns(),
    hookAnswerer: async (name) => (await app()).hookAnswerer(name),
    close: () => closeIfMade(app, (each) => each.close()),
  };
}
