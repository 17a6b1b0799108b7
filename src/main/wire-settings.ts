import { readConfigAround } from "../adapters/files/config.ts";
import { settingStore } from "../adapters/files/setting-store.ts";
import { findRepository, repositoryAround } from "../adapters/git/repository.ts";
import { userSettings } from "../adapters/layout.ts";
import { driversAround } from "../adapters/journal-file/claimed-drivers.ts";
import { systemCaller } from "../adapters/shell/caller.ts";
import type { SettingFiles } from "../app/config/ports.ts";
import { settingFiles } from "../app/config/set.ts";
import { ownEngines } from "../contract/engine-settings.ts";
import { ClewError } from "../contract/errors.ts";
import { createRedactor } from "../redact/redactor.ts";

interface Surrounding {
  cwd: string;
  env: Record<string, string | undefined>;
}

/** Puts together what writes settings. */
export function openSettings({ cwd, env }: Surrounding): SettingFiles {
  return settingFiles({
    store: settingStore({ userFile: userSettings(env), repository: () => findRepository(cwd) }),
    caller: () => systemCaller(env, driversAround),
    redact: (text) => createRedactor({ env }).redact(text),
    async engineNames() {
      try {
        const { settings } = await readConfigAround(cwd, repositoryAround(cwd), env);
        const own = Object.keys(settings.engines).filter((name) => settings.engines[name]?.acp);
        return [...ownEngines, ...own];
      } catch (error) {
        // It works where another setting is wrong.
        if (error instanceof ClewError) return undefined;
        throw error;
      }
    },
  });
}
