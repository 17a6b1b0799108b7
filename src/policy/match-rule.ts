import { matchesExactly, matchesLoosely } from "../command/match-words.ts";
import type { ShellRedirection } from "../command/read-command.ts";
import { isKnown } from "../command/words.ts";
import type { PolicyRule } from "../contract/policy.ts";
import { isWord, readWordPattern } from "../text/word-pattern.ts";
import type { ReadCall } from "./call.ts";
import { namedPaths, pathMatch, writtenPaths, type Match } from "./named-paths.ts";
import { fullPath, matchesPath } from "./paths.ts";

export type { Match };

/**
 * Whether a rule that tightens is about a call. It is wide: whatever a command may execute counts, and each path that it names;
 * `maybe` when that hangs on what the text does not tell.
 */
export function matchWidely(rule: PolicyRule, call: ReadCall): Match {
  if (!isAround(rule, call)) return "no";
  if (isUnreadable(call)) return "maybe";
  const command = rule.command === undefined ? "yes" : commandMatch(rule.command, call);
  if (command === "no" || rule.path === undefined) return command;
  const isWriting = isAbout(rule, call, "edit") && call.kind === "shell";
  const path = pathMatch(rule.path, isWriting ? writtenPaths(call) : namedPaths(call), call);
  return path === "yes" ? command : path;
}

/** A call that cannot be read may be any, of any agent: one that is too long, or names no tool. */
export function isUnreadable({ event, tool }: ReadCall): boolean {
  return tool === "" && (event === "tool" || event === "result");
}

/** Whether a rule that loosens is about a call: all of it must be meant, word for word. */
export function matchExactly(rule: PolicyRule, call: ReadCall): boolean {
  if (isUnreadable(call) || !isAround(rule, call, "exactly")) return false;
  if (rule.command !== undefined && !isOnly([rule.command], call)) return false;
  if (rule.path === undefined) return true;
  const { paths, folder, home, realPath, top } = call;
  if (paths.length === 0) return false;
  return paths.every((path) => {
    const full = fullPath(path, folder, home);
    return [full, realPath(full)].every((each) =>
      [top, realPath(top)].some((from) => matchesPath(rule.path!, each, from, home)),
    );
  });
}

/** Whether everything that a command executes is meant by one of the patterns, and it writes no file beside. */
export function isOnly(patterns: readonly string[], { executed }: ReadCall): boolean {
  if (!executed?.isWhole || !executed.isPlain) return false;
  const written = executed.commands.filter(({ isWritten }) => isWritten);
  const read = patterns.map(readWordPattern);
  return (
    written.length > 0 &&
    written.every(
      ({ named, assignments, redirections }) =>
        assignments.length === 0 &&
        redirections.every(isHarmless) &&
        read.some((pattern) => matchesExactly(pattern, named)),
    )
  );
}

/** What writes no file: `2>&1`, `> /dev/null`, `< file`. Behind `>&` may stand a file as well. */
function isHarmless({ operator, target }: ShellRedirection): boolean {
  if (!isKnown(target)) return false;
  if (operator === ">&" || operator === "<&") return /^(?:\d{1,9}-?|-)$/.test(target);
  return operator === "<" || (target === "/dev/null" && /^(?:&?>>?|>\||<>)$/.test(operator));
}

/** Tool, step and agent. */
function isAround(rule: PolicyRule, call: ReadCall, how: "widely" | "exactly" = "widely"): boolean {
  if (rule.event !== call.event) return false;
  if (rule.step !== undefined && !isStep(rule.step, call.step)) return false;
  if (isUnreadable(call)) return true;
  if (rule.agent !== undefined && !isName(rule.agent, call.agent)) return false;
  if (call.event === "compaction" || call.event === "prompt") return true;
  if (rule.tool === undefined) return rule.command === undefined || call.kind === "shell";
  // A file may be written by a shell as well.
  const isWriting = how === "widely" && call.kind === "shell" && rule.path !== undefined && rule.tool.includes("edit");
  return isWriting || rule.tool.some((tool) => isTool(tool, call));
}

function isTool(tool: string, { tool: name, kind }: ReadCall): boolean {
  return tool === "any" || tool === "*" || tool === kind || isName(tool, name);
}

function isAbout({ tool }: PolicyRule, { kind }: ReadCall, what: string): boolean {
  return tool !== undefined && tool.includes(what) && !tool.includes(kind) && !tool.includes("any");
}

/** A step by its whole path, or by its last name. */
function isStep(pattern: string, step: string | undefined): boolean {
  return step !== undefined && (isName(pattern, step) || isName(pattern, step.slice(step.lastIndexOf("/") + 1)));
}

function isName(pattern: string, name: string | undefined): boolean {
  return name !== undefined && isWord(pattern.toLowerCase().split(/\*+/), name.toLowerCase());
}

/** What only may be meant by a guess is not. */
function surely(match: Match): Match {
  return match === "yes" ? "yes" : "no";
}

function commandMatch(command: string, { executed }: ReadCall): Match {
  if (!executed) return "no";
  const pattern = readWordPattern(command);
  const matches = executed.commands.map(({ words }) => matchesLoosely(pattern, words));
  // One word alone is too often the name of something else: `brew install curl`.
  const isTelling =
    command
      .trim()
      .split(/\s+/)
      .filter((word) => word !== "…" && word !== "...").length > 1;
  if (isTelling) matches.push(...executed.guesses.map((words) => surely(matchesLoosely(pattern, words))));
  return matches.includes("yes") ? "yes" : matches.includes("maybe") ? "maybe" : "no";
}
