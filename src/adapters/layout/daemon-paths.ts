import { basename, join } from "node:path";
import { sha256Of } from "./file-names.ts";
import { userConfigFolder, userHome, type Env } from "./user-paths.ts";

/** Answers of the daemon to requests that may be repeated. */
export const answerPaths = {
  /** A key may be anything: its file is named by its hash. */
  answer: (folder: string, key: string) => join(folder, `${sha256Of(key)}.json`),
  inFolder: (folder: string, name: string) => join(folder, name),
} as const;

/** The files of a log: the one that is written to, and `number` older ones. */
export function olderLog(path: string, number: number): string {
  return `${path}.${number}`;
}

/** A token's file, in the folder of these; undefined when no token has such an id. */
export function tokenPath(folder: string, id: string): string | undefined {
  return /^[a-z0-9]{1,32}$/.test(id) ? join(folder, `${id}.json`) : undefined;
}

/** The token whose file has this name; undefined for any other file. */
export function idOfToken(name: string): string | undefined {
  return /^([a-z0-9]{1,32})\.json$/.exec(name)?.[1];
}

/** Where the system reads what it starts at login. */
export const servicePaths = {
  systemd: (env: Env, name: string) => join(userConfigFolder(env), "systemd", "user", `${name}.service`),
  launchd: (env: Env, name: string) => join(userHome(env), "Library", "LaunchAgents", `${name}.plist`),
} as const;

/** `clew-<folder>-<hash>`: the same for a repository however often it is asked, and another for every other. */
export function serviceName(root: string, commonDir: string): string {
  const words = basename(root)
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .slice(0, 40);
  return `clew-${words || "repository"}-${sha256Of(commonDir).slice(0, 8)}`;
}

/** The daemon's socket in a folder of sockets. Long paths are cut by the system, so that it is named by a hash. */
export function socketIn(folder: string, commonDir: string): string {
  return join(folder, `${sha256Of(commonDir).slice(0, 16)}.sock`);
}
