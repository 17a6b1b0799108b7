import type { Asker } from "../app/run/ports.ts";
import type { Progress } from "../app/search/projection.ts";
import type { Api } from "../contract/api/api.ts";
import type { SettingOrigin } from "../contract/settings.ts";
import type { Program } from "./program.ts";

/** The resources that need a repository. */
export type AppResources = Omit<Api, "config" | "spells" | "grimoires" | "engines">;

/** Everything a front end can ask for, in one repository. A resource is put together when it is loaded. */
export type App = { [Name in keyof AppResources]: () => Promise<AppResources[Name]> } & {
  origins: SettingOrigin[];
  close(): Promise<void>;
};

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
