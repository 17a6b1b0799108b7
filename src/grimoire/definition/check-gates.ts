import { readWordPattern } from "../../text/word-pattern.ts";
import type { WrittenStep } from "./step-walk.ts";
import type { Report } from "./unplaced-problem.ts";
import type { PlacedTree } from "./yaml-tree.ts";

const callKeys = ["tool", "match", "exit", "count", "covers", "fresh", "keeps"];
const commandKeys = ["command", "shell", "expect", "timeout"];

/** A gate asks for a call of the agent's, or for a command of Clew's own; never for both. */
export function checkGates({ path, label, fields }: WrittenStep, tree: PlacedTree, report: Report): void {
  const { requires } = fields;
  if (!Array.isArray(requires)) return;
  requires.forEach((gate: unknown, index) => {
    if (typeof gate !== "object" || gate === null || Array.isArray(gate)) return;
    const where = [...path, "requires", index];
    const tell = (key: string | undefined, message: string, hint?: string): void =>
      report({
        offset: key === undefined ? tree.offsetOf(where) : tree.keyOffsetOf([...where, key]),
        step: label,
        message: `requires[${index}]: ${message}`,
        ...(hint !== undefined && { hint }),
      });
    const has = (key: string): boolean => key in gate;
    if (!has("tool") && !has("match") && !has("command")) {
      const hint = "match: npm test for what the agent must run, command: npm test for what Clew runs itself";
      return tell(undefined, "says neither tool nor match nor command", hint);
    }
    const [strange, form] = has("command")
      ? [callKeys.find(has), "a command that Clew runs"]
      : [commandKeys.find(has), "a call that the agent makes"];
    if (strange !== undefined) tell(strange, `${strange} does not go with ${form}`);
    const { tool = "shell", match } = gate as { tool?: unknown; match?: unknown };
    const problem = typeof match === "string" && !match.includes("{{") ? patternProblem(match) : undefined;
    if (problem !== undefined) tell("match", `match ${problem}`);
    for (const key of ["covers", "keeps"] as const) {
      const globs: unknown = (gate as Record<string, unknown>)[key];
      const outside = (Array.isArray(globs) ? globs : []).find((glob) => typeof glob === "string" && isOutside(glob));
      if (outside !== undefined)
        tell(key, `${key} has ${outside}, which is no path below the root`, "write it as src/**");
    }
    const shellKey = ["match", "exit"].find(has);
    if (has("tool") && tool !== "shell" && shellKey !== undefined)
      tell(shellKey, `${shellKey} goes with tool: shell only`);
  });
}

/** Globs count from the root of the worktree. */
function isOutside(glob: string): boolean {
  return glob.startsWith("/") || glob.startsWith("~") || glob.split("/").includes("..");
}

/** What a shell takes for more than the words of one command. */
const operator = /[;|&<>`\n]|\$\(/;

function patternProblem(match: string): string | undefined {
  if (operator.test(match)) return "must be the words of one command: what has ; | & or > in it never counts";
  try {
    readWordPattern(match);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
