import { readConfigAround } from "../adapters/files/config.ts";
import { settingStore } from "../adapters/files/setting-store.ts";
import { findRepository, repositoryAround } from "../adapters/git/repository.ts";
import { userSettings } from "../adapters/layout/user-paths.ts";
import { driversAround } from "../adapters/journal-file/claimed-drivers.ts";
import { systemCaller } from "../adapters/shell/caller.ts";
import type { SettingFiles } from "../app/config/ports.ts";
import { settingFiles } from "../app/config/set.ts";
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
    engines: async () => (await readConfigAround(cwd, repositoryAround(cwd), env)).settings.engines,
  });
}
