import type { Api } from "../contract/api/api.ts";
import type { SettingOrigin } from "../contract/settings.ts";

/** The resources that need a repository. */
export type AppResources = Omit<Api, "config" | "spells" | "grimoires" | "engines">;

/** Everything a front end can ask for, in one repository. A resource is put together when it is loaded. */
export type App = { [Name in keyof AppResources]: () => Promise<AppResources[Name]> } & {
  origins: SettingOrigin[];
  close(): Promise<void>;
};
