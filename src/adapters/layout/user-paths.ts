import { join } from "node:path";

export type Env = Record<string, string | undefined>;

/** Where the user's own settings stand. */
export function userSettings(env: Env): string {
  return join(userConfigFolder(env), "clew", "config.yaml");
}

/** Where git reads the user's own settings. */
export function userGitSettings(env: Env): string[] {
  return [join(userHome(env), ".gitconfig"), join(userConfigFolder(env), "git", "config")];
}

export function userConfigFolder(env: Env): string {
  return env["XDG_CONFIG_HOME"] || join(userHome(env), ".config");
}

export function userHome(env: Env): string {
  return env["HOME"] || process.getBuiltinModule("node:os").homedir();
}

/** Where the keys stand by which continue tokens are signed. */
export function continueKeys(env: Env): string {
  return join(userStateFolder(env), "continue-keys");
}

/** What Clew keeps for the user, in no repository. */
export function userStateFolder(env: Env): string {
  return join(env["XDG_STATE_HOME"] || join(userHome(env), ".local", "state"), "clew");
}
