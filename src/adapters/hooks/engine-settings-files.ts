import { chmodSync, constants, fsyncSync, lstatSync, mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EngineSettingsFiles } from "../../app/hook/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import type { HookEngine, HookScope } from "../../contract/hook.ts";
import { attempt } from "../../text/attempt.ts";
import { knownPrograms } from "../engines/known-programs.ts";
import { folderOf } from "../engines/logged-in.ts";
import { isBelow } from "../files/bounds.ts";
import { explainErrors, isMissing } from "../files/failure.ts";
import { forWriting, readAll, withRegular, writeAll } from "../files/regular-file.ts";
import { UnreadableFile } from "../files/unreadable-file.ts";
import { replacement } from "../layout.ts";
import { userConfigFolder, userHome } from "../layout/user-paths.ts";
import { findProgram } from "../shell/find-program.ts";
import { syncFolder } from "./sync-folder.ts";

type Env = Record<string, string | undefined>;

/** No settings of an engine are longer. */
const maxBytes = 4 * 1024 * 1024;

/** The files, from the nearest to this checkout on; without a checkout, those of the user alone. */
export function engineSettingsFiles(checkout: string | undefined, env: Env): EngineSettingsFiles {
  const root = checkout ?? "";
  const userFolder = (engine: HookEngine): string => folderOf(knownPrograms[engine]!.logIn.folder, env);
  const paths: Record<HookEngine, Partial<Record<HookScope, string>>> = {
    claude: {
      local: join(root, ".claude", "settings.local.json"),
      project: join(root, ".claude", "settings.json"),
      user: join(userFolder("claude"), "settings.json"),
    },
    codex: { project: join(root, ".codex", "hooks.json"), user: join(userFolder("codex"), "hooks.json") },
    gemini: { project: join(root, ".gemini", "settings.json"), user: join(userFolder("gemini"), "settings.json") },
    qwen: { project: join(root, ".qwen", "settings.json"), user: join(userFolder("qwen"), "settings.json") },
    opencode: {
      project: join(root, ".opencode", "plugins", "clew.js"),
      user: join(userConfigFolder(env), "opencode", "plugins", "clew.js"),
    },
  };
  const opencodeUser = join(userConfigFolder(env), "opencode");
  const serverPaths: typeof paths = {
    claude: { project: join(root, ".mcp.json"), user: claudeState(userFolder("claude"), env) },
    codex: { project: join(root, ".codex", "config.toml"), user: join(userFolder("codex"), "config.toml") },
    gemini: paths.gemini,
    qwen: paths.qwen,
    opencode: { project: opencodeFile(root), user: opencodeFile(opencodeUser) },
  };
  const placesIn =
    (all: typeof paths): EngineSettingsFiles["places"] =>
    (engine, scope) =>
      Object.entries(all[engine])
        .filter(([each]) => (scope === undefined || each === scope) && (checkout !== undefined || each === "user"))
        .map(([each, path]) => ({ engine, scope: each as HookScope, path }));
  return {
    places: placesIn(paths),
    serverPlaces: placesIn(serverPaths),
    isInstalled: (engine) => findProgram(engine, env) !== undefined,
    read({ path }) {
      if (checkout !== undefined) refuseLinkedFolder(checkout, path);
      return read(path);
    },
    replace({ path }, before, after) {
      if (after === undefined)
        return remove(path, before, [...(checkout === undefined ? [] : [checkout]), userHome(env)]);
      explainErrors(path, () => write(path, before, after));
    },
  };
}

/** Claude keeps servers for all of the user's projects beside what it remembers, not in its settings. */
function claudeState(folder: string, env: Env): string {
  return env["CLAUDE_CONFIG_DIR"] ? join(folder, ".claude.json") : join(dirname(folder), ".claude.json");
}

/** opencode reads both; the one that is there is taken. */
function opencodeFile(folder: string): string {
  const withComments = join(folder, "opencode.jsonc");
  const plain = join(folder, "opencode.json");
  const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return !isThere(plain) && isThere(withComments) ? withComments : plain;
}

/** In a repository, a link may be anybody's: it could lead to another program's settings. */
function refuseLinkedFolder(root: string, path: string): void {
  for (let folder = dirname(path); isBelow(folder, root); folder = dirname(folder)) {
    if (attempt(() => lstatSync(folder).isSymbolicLink(), false))
      throw new ClewError(
        "leads_outside",
        `${folder} is a link, and Clew writes no settings through links`,
        "put a folder there",
      );
  }
}

function read(path: string): string | undefined {
  try {
    const bytes = withRegular(path, constants.O_RDONLY | constants.O_NOFOLLOW, 0, (fd, stats) =>
      readAll(fd, stats, path, maxBytes),
    );
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (error instanceof TypeError) throw new UnreadableFile(path, "is not UTF-8", error);
    throw error;
  }
}

/** Aside, then renamed: an engine never reads half of it. */
function write(path: string, before: string | undefined, after: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const aside = replacement.path(path, process.pid);
  const mode = attempt(() => lstatSync(path).mode & 0o777, 0o644);
  rmSync(aside, { force: true });
  withRegular(aside, forWriting | constants.O_CREAT | constants.O_EXCL, mode, (fd) => {
    writeAll(fd, Buffer.from(after), null);
    fsyncSync(fd);
  });
  chmodSync(aside, mode);
  try {
    refuseChanged(path, before);
    renameSync(aside, path);
  } finally {
    rmSync(aside, { force: true });
  }
  syncFolder(dirname(path));
}

function remove(path: string, before: string | undefined, kept: readonly string[]): void {
  refuseChanged(path, before);
  rmSync(path);
  // The folder goes with it, where it was made for it.
  if (!kept.includes(dirname(path))) attempt(() => rmdirSync(dirname(path)), undefined);
}

function refuseChanged(path: string, before: string | undefined): void {
  if (read(path) === before) return;
  throw new ClewError("not_possible_now", `${path} was changed just now by another program`, "repeat the command");
}
