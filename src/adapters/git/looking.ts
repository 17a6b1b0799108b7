import type { Repository } from "./repository.ts";
import { gitEnvironment } from "./environment.ts";
import { localFilters } from "./local-filters.ts";
import { withoutPrograms } from "./without-programs.ts";

type Variables = Record<string, string | undefined>;

/**
 * What git's environment gains for whoever merely looks at a repository: it fetches nothing, and starts no filter that the
 * repository's own settings name. What the user's own settings name stays as it is, so that large files of theirs compare
 * as they should. Hooks, monitors and signatures are left out by `withoutPrograms`, for every question. Made when it is
 * first asked for, once.
 */
export function lookingAt(repository: Repository, env: Variables): () => Variables {
  let made: Variables | undefined;
  return () => (made ??= lookingEnvironment(repository, env));
}

function lookingEnvironment({ root, commonDir }: Repository, env: Variables): Variables {
  // Without a protocol there is no way to fetch what a partial clone lacks.
  const looking: Variables = { GIT_ALLOW_PROTOCOL: "" };
  const keys = localFilters(commonDir);
  if (keys.length === 0) return looking;
  const own = userFilters(root, env);
  let count = Number(env["GIT_CONFIG_COUNT"] ?? 0) || 0;
  for (const key of keys) {
    looking[`GIT_CONFIG_KEY_${count}`] = key;
    looking[`GIT_CONFIG_VALUE_${count}`] = own.get(key) ?? (key.endsWith(".required") ? "false" : "");
    count++;
  }
  return { ...looking, GIT_CONFIG_COUNT: String(count) };
}

/** What the user and the machine say about filters. Git is asked: only it knows where their files are. */
function userFilters(root: string, env: Variables): Map<string, string> {
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const args = ["-C", root, "config", "--show-scope", "-z", "--get-regexp", "^filter\\."];
  const { stdout } = spawnSync("git", [...withoutPrograms, ...args], { encoding: "utf8", env: gitEnvironment(env) });
  const values = new Map<string, string>();
  const parts = (stdout ?? "").split("\0");
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope, setting] = [parts[at]!, parts[at + 1]!];
    if (scope === "local" || scope === "worktree") continue;
    const end = setting.indexOf("\n");
    values.set(end < 0 ? setting : setting.slice(0, end), end < 0 ? "true" : setting.slice(end + 1));
  }
  return values;
}
