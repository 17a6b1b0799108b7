import type { App, AppResources } from "./app.ts";
import { configApi } from "../app/config/api.ts";
import type { SettingFiles } from "../app/config/ports.ts";
import type { Api } from "../contract/api/api.ts";
import { lazily } from "./lazily.ts";
import type { Definitions } from "./wire-definitions.ts";

interface Loaders {
  /** The repository around the working folder. */
  app: () => Promise<App>;
  /** Grimoires and spells, also outside a repository. */
  definitions: () => Promise<Definitions>;
  /** Engines, also outside a repository. */
  engines: () => Promise<Api["engines"]>;
  /** Hooks in the settings of engines, also outside a repository. */
  hooks: () => Promise<Api["hooks"]>;
  /** The files of settings, also where something in them is wrong. */
  settingFiles: () => Promise<SettingFiles>;
}

/** The operations. Each resource is put together when it is first asked for. */
export function openApi({ app, definitions, engines, hooks, settingFiles }: Loaders): Api {
  const inApp = <Name extends keyof AppResources>(name: Name): AppResources[Name] =>
    lazily(async () => (await app())[name]() as Promise<AppResources[Name]>);
  return {
    repository: inApp("repository"),
    status: inApp("status"),
    sessions: inApp("sessions"),
    codify: inApp("codify"),
    turns: inApp("turns"),
    imports: inApp("imports"),
    inbox: inApp("inbox"),
    search: inApp("search"),
    learn: inApp("learn"),
    spells: lazily(async () => (await definitions()).spells),
    config: configApi({ origins: async () => (await app()).origins, files: settingFiles }),
    doctor: inApp("doctor"),
    beads: inApp("beads"),
    grimoires: lazily(async () => (await definitions()).grimoires),
    worktrees: inApp("worktrees"),
    engines: lazily(engines),
    hooks: lazily(hooks),
    evidence: inApp("evidence"),
    connections: inApp("connections"),
    policies: inApp("policies"),
    runs: inApp("runs"),
    agents: inApp("agents"),
    work: inApp("work"),
    scheduler: inApp("scheduler"),
    daemon: inApp("daemon"),
  };
}
