import type { App } from "./app.ts";
import { configApi } from "../app/config/api.ts";
import type { SettingFiles } from "../app/config/ports.ts";
import { doctorApi } from "../app/doctor/api.ts";
import type { Definitions } from "../app/grimoire/definitions.ts";
import { grimoiresApi } from "../app/grimoire/api.ts";
import { repositoryApi } from "../app/repository/api.ts";
import { searchApi } from "../app/search/api.ts";
import { sessionsApi } from "../app/session/api.ts";
import { spellsApi } from "../app/spell/api.ts";
import { statusApi } from "../app/status/api.ts";
import { worktreesApi } from "../app/worktree/api.ts";
import type { Api } from "../contract/api/api.ts";
import { lazily } from "./lazily.ts";

interface Doors {
  /** The repository around the working folder. */
  app: () => Promise<App>;
  /** Grimoires and spells, also outside a repository. */
  definitions: () => Promise<Definitions>;
  /** The files of settings, also where something in them is wrong. */
  settingFiles: () => Promise<SettingFiles>;
}

/** The operations, each put together when it is first asked for. */
export function openApi({ app, definitions, settingFiles }: Doors): Api {
  return {
    repository: lazily(async () => repositoryApi(await app())),
    status: lazily(async () => statusApi(await app())),
    sessions: lazily(async () => sessionsApi(await app())),
    inbox: lazily(async () => (await import("../app/inbox/api.ts")).inboxApi(await app())),
    search: lazily(async () => {
      const opened = await app();
      return searchApi(await opened.search(), opened.finder);
    }),
    spells: lazily(async () => spellsApi((await definitions()).spells)),
    config: configApi({ origins: async () => (await app()).origins, files: settingFiles }),
    doctor: lazily(async () => doctorApi(await (await app()).doctor())),
    beads: lazily(async () => {
      const [{ beadsApi }, opened] = await Promise.all([import("../app/bead/api.ts"), app()]);
      return beadsApi(await opened.beadParts());
    }),
    grimoires: lazily(async () => grimoiresApi(await definitions())),
    worktrees: lazily(async () => worktreesApi(await (await app()).worktrees())),
    runs: lazily(async () => {
      const { runsApi } = await import("../app/run/api.ts");
      return runsApi(await (await app()).runs());
    }),
    scheduler: lazily(async () => {
      const { schedulerApi } = await import("../app/scheduler/api.ts");
      return schedulerApi(await (await app()).scheduler());
    }),
  };
}
