import type { KnownRuns } from "../adapters/journal-file/known-runs.ts";
import type { HistoryParts } from "../app/grimoire/history.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import type { ConnectedRuns } from "../app/run/connected/connected-runs.ts";
import type { Asker } from "../app/run/ports.ts";
import type { Progress } from "../app/search/projection.ts";
import type { Api } from "../contract/api/api.ts";
import type { SettingOrigin } from "../contract/settings.ts";
import type { LoadedAnswerers } from "./hook-answerers.ts";
import type { Program } from "./program.ts";

/** The resources that need a repository. */
export type AppResources = Omit<Api, "config" | "spells" | "grimoires" | "engines">;

/** Everything a front end can ask for, in one repository. A resource is put together when it is loaded. */
export type App = { [Name in keyof AppResources]: () => Promise<AppResources[Name]> } & {
  origins: SettingOrigin[];
  connectedRuns: () => Promise<ConnectedRuns>;
  /** What appends past executions to workflows. */
  workflowHistory: () => Promise<HistoryParts>;
  /** What answers hooks, where the whole program is needed for it. */
  hookAnswerer: (name: keyof LoadedAnswerers) => Promise<HookAnswerer>;
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
  /** What this process knows of all runs already. */
  knownRuns?: KnownRuns;
}

export interface Operations {
  api: Api;
  /** The runs of connected agents. This process drives them until it closes the operations. */
  connectedRuns: () => Promise<ConnectedRuns>;
  /** Tells agents by their hooks where they stand. */
  /** What answers hooks, where the whole program is needed for it. */
  hookAnswerer: (name: keyof LoadedAnswerers) => Promise<HookAnswerer>;
  close: () => Promise<void>;
}
