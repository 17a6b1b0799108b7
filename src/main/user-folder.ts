import { join } from "node:path";

/** Where the user's own settings stand. */
export function userFolder(env: Record<string, string | undefined>): string {
  const home = env["HOME"] || process.getBuiltinModule("node:os").homedir();
  return join(env["XDG_CONFIG_HOME"] || join(home, ".config"), "clew");
}
