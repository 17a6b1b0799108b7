import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installEngine } from "../../tools/engines/programs.mjs";
import { removeFolder } from "../support/remove-folder.ts";
import { startModel } from "./model/server.ts";
import { settingsOf, writeSettings } from "./settings.ts";
import type { EngineName } from "../../tools/engines/programs.mjs";
import type { Script } from "./model/script.ts";
import type { ModelServer } from "./model/server.ts";

export interface RealEngine extends AsyncDisposable {
  readonly program: string;
  /** All that the engine needs, and nothing of the caller's own: no keys, no settings. */
  readonly env: Record<string, string>;
  /** A git repository with one commit. */
  readonly folder: string;
  readonly home: string;
  readonly model: ModelServer;
  /** The name under which the engine knows the model. */
  readonly modelName: string;
}

/** A script, or one that needs to know the folder: most engines write only to whole paths. */
export type ScriptIn = Script | ((folder: string) => Script);

/** The real program of an engine, with a home of its own, sent to a model on loopback that says what the script has. */
export async function realEngine(name: EngineName, script: ScriptIn): Promise<RealEngine> {
  const program = await installEngine(name);
  const root = mkdtempSync(join(tmpdir(), `clew-${name}-`));
  const home = join(root, "home");
  const folder = join(root, "work-folder");
  const model = await startModel(typeof script === "function" ? script(folder) : script);
  const settings = settingsOf(name, model.url);
  mkdirSync(home);
  writeSettings(home, settings);
  makeRepository(folder);
  return {
    program,
    env: { ...ownEnvironment(home), ...settings.env },
    folder,
    home,
    model,
    modelName: settings.model,
    async [Symbol.asyncDispose]() {
      await model.close();
      removeFolder(root);
    },
  };
}

/** Nothing of the caller's own. */
export function ownEnvironment(home: string): Record<string, string> {
  return { HOME: home, PATH: process.env.PATH ?? "/usr/bin:/bin", LANG: "C.UTF-8", TERM: "xterm", SHELL: "/bin/bash" };
}

function makeRepository(folder: string): void {
  mkdirSync(folder);
  writeFileSync(join(folder, "README.md"), "# A project\n");
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=Ann", "-c", "user.email=ann@example.org", ...args]);
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-q", "-m", "first");
}
