import { isUtf8 } from "node:buffer";
import type { GitCalls, GitResult } from "./git-calls.ts";

type Variables = Record<string, string>;

/** A git that takes longer is taken to hang: settings may include a pipe. */
const patience = { settingsMs: 30_000, answerMs: 120_000 };

/** Keeps git from fetching what a partial clone lacks. Older versions of git only know the first. */
export const fetchNothing: Variables = { GIT_ALLOW_PROTOCOL: "", GIT_NO_LAZY_FETCH: "1" };

/**
 * Git for readers of a repository: plain calls fetch nothing, start no filter that the repository's own settings name, and
 * end in time. Filters of the user's own settings still run, so that large files compare as they should. Callers must not
 * let git into submodules, because each has settings of its own.
 */
export function readOnlyCalls(
  git: GitCalls,
  env: Record<string, string | undefined>,
  { settingsMs, answerMs } = patience,
): GitCalls {
  /** Asks git each time, in the same folder, because a step may have set a filter meanwhile. */
  async function overridesFor(folder: string, args: string[]): Promise<Variables | GitResult> {
    const commandStart = commandIndex(args);
    if (readers.has(args[commandStart] ?? "")) return {};
    const answer = await git.plain(folder, [...args.slice(0, commandStart), ...settingsQuery], { limitMs: settingsMs });
    // Exit code 1: there are no such settings.
    if (answer.code !== 0 && answer.code !== 1) return answer;
    return overrideVariables(answer.stdout, Number(env["GIT_CONFIG_COUNT"] ?? 0) || 0) ?? undecodableFilter;
  }
  return {
    ...git,
    async plain(folder, args, options = {}) {
      const variables = await overridesFor(folder, args);
      if (isResult(variables)) return variables;
      const callEnv = { ...fetchNothing, ...variables, ...options.env };
      return git.plain(folder, args, { limitMs: answerMs, ...options, env: callEnv });
    },
  };
}

/** Asks for all settings of filters and hooks, as `overrideVariables` reads them. */
export const settingsQuery = ["config", "--show-scope", "-z", "--get-regexp", "^(filter|hook)\\."];

/** Commands that neither compare files nor write: they start no filter and no hook. */
const readers = new Set(["rev-parse", "rev-list", "for-each-ref", "merge-base", "worktree", "ls-files", "diff-tree"]);

/** The index of the command among the arguments, behind options of git itself. */
function commandIndex(args: string[]): number {
  let at = 0;
  while (args[at]?.startsWith("-")) at += args[at] === "-c" || args[at] === "--git-dir" ? 2 : 1;
  return at;
}

const undecodableFilter: GitResult = {
  code: -1,
  stdout: Buffer.alloc(0),
  stderr: "the repository's settings name a filter in bytes that are no text",
};

function isResult(value: Variables | GitResult): value is GitResult {
  return Buffer.isBuffer(value["stdout"]);
}

/**
 * Variables, behind the first `count`, that override the repository's settings of filters and hooks. Undefined when a
 * variable cannot hold a setting.
 */
export function overrideVariables(settings: Buffer, count: number): Variables | undefined {
  const userSettings = new Map<string, string>();
  const repositoryKeys = new Set<string>();
  const parts = settings.toString("latin1").split("\0");
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope, setting] = [parts[at]!, parts[at + 1]!];
    const end = setting.indexOf("\n");
    const key = end < 0 ? setting : setting.slice(0, end);
    if (userScopes.has(scope)) userSettings.set(key, end < 0 ? "true" : setting.slice(end + 1));
    else repositoryKeys.add(key.startsWith("hook.") ? `${key.slice(0, key.lastIndexOf("."))}.enabled` : key);
  }
  const variables: Variables = {};
  for (const key of repositoryKeys) {
    const isSwitch = key.startsWith("hook.") || key.endsWith(".required");
    const value = key.startsWith("hook.") ? undefined : userSettings.get(key);
    const pair = [key, value ?? (isSwitch ? "false" : "")].map((bytes) => Buffer.from(bytes, "latin1"));
    if (!pair.every((bytes) => isUtf8(bytes))) return undefined;
    variables[`GIT_CONFIG_KEY_${count}`] = pair[0]!.toString("utf8");
    variables[`GIT_CONFIG_VALUE_${count}`] = pair[1]!.toString("utf8");
    count++;
  }
  return repositoryKeys.size === 0 ? {} : { ...variables, GIT_CONFIG_COUNT: String(count) };
}

/** All other scopes are the repository's. */
const userScopes = new Set(["system", "global", "command"]);
