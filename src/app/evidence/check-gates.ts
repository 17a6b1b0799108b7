import { allCommandsIn } from "../../command/all-commands.ts";
import { matchesExactly } from "../../command/match-words.ts";
import { simpleCommandOf, type NoSimpleCommand } from "../../command/simple-command.ts";
import { readWordPattern, type WordPattern } from "../../text/word-pattern.ts";
import { isKnown } from "../../command/words.ts";
import type { GatePass, MissingEvidence } from "../../contract/evidence-values.ts";
import type { CallGate, RenderedGate } from "../../contract/gate.ts";
import { toolKindOf } from "../../engine/tool-kinds.ts";
import { changedScript, commandSources } from "../../evidence/command-sources.ts";
import { refusalOf, type NearMiss } from "../../evidence/refusal.ts";
import { attempt } from "../../text/attempt.ts";
import { nameSome } from "../../text/name-some.ts";
import { calledByScripts } from "./called-scripts.ts";
import { asksForReads, checkReads } from "./check-reads.ts";
import type { CountedCall, ObservedTool } from "./observed-calls.ts";
import type { WorktreeLook } from "./ports.ts";

/** Whether a call may be what one of the gates asks for. */
export function isAskedFor(gates: readonly RenderedGate[], call: ObservedTool): boolean {
  return gates.some((gate) => gate.kind === "call" && isSuch(gate, call) && whyNotAlone(gate, call) === undefined);
}

/** Whether a call uses the tool of a gate. */
function isSuch({ tool }: CallGate, call: ObservedTool): boolean {
  return call.tool === tool || toolKindOf(call.tool) === tool;
}

/** Why a command is not the one simple command that a gate asks for; undefined when it is. */
function whyNotAlone({ match }: CallGate, { command }: ObservedTool): string | undefined {
  if (match === undefined) return undefined;
  const read = simpleCommandOf(command ?? "");
  if ("problem" in read) return `${problemWords[read.problem]}: only one command of its own counts`;
  if (read.assignments.length > 0) return "sets variables first: only the command itself counts";
  return matchesExactly(patternOf(match), read.words) ? undefined : "is another command";
}

/** What cannot be a pattern is matched by nothing. */
function patternOf(match: string): WordPattern {
  return attempt(() => readWordPattern(match), { words: [["\0"]], isOpen: false });
}

const problemWords: Record<NoSimpleCommand, string> = {
  empty: "is no command",
  list: "is a list of commands",
  pipe: "is a pipe",
  background: "goes on in the background",
  negation: "turns its exit code round",
  compound: "is more than one command",
  substitution: "has parts that the shell puts in",
  unreadable: "cannot be read",
};

/** Whether the words that are asked for stand in a command at all, which then comes near. */
function comesNear({ match }: CallGate, { command }: ObservedTool): boolean {
  if (match === undefined || command === undefined) return false;
  const pattern = patternOf(match);
  return allCommandsIn(command).commands.some(({ words }) => matchesExactly(pattern, words));
}

interface Parts {
  worktree: WorktreeLook;
  /** What stands in the worktree now. */
  tree: string | undefined;
  /** The commit that the run began with. */
  base: string | null;
}

/** What a gate was passed by, or what is missing. */
export async function checkCallGate(
  gate: CallGate,
  calls: readonly CountedCall[],
  parts: Parts,
): Promise<GatePass | MissingEvidence> {
  const misses: NearMiss[] = [];
  const counted: CountedCall[] = [];
  for (const call of calls.filter((each) => each.tool_use_id !== null && isSuch(gate, each))) {
    const what = call.command ?? call.tool;
    const notAlone = whyNotAlone(gate, call);
    if (notAlone !== undefined) {
      if (comesNear(gate, call)) misses.push({ what, why: notAlone });
      continue;
    }
    const miss = whyNot(gate, call, parts) ?? (await whyNotNow(gate, call, parts));
    if (miss) misses.push({ what, ...miss });
    else counted.push(call);
  }
  if (asksForReads(gate) && counted.length > 0) return checkReads(gate, counted, parts);
  const last = counted.at(-1);
  if (!last || counted.length < gate.count) return refusalOf(gate, counted.length, misses);
  const { id, tool, command = tool, tree, tree_before: before } = last;
  return { id, command, tree: tree === before ? tree : null };
}

type Why = Omit<NearMiss, "what">;

/** Why a call does not count, by what was observed of it. */
function whyNot({ tool, exit }: CallGate, call: CountedCall, { worktree }: Parts): Why | undefined {
  if (call.problem !== undefined) return { why: call.problem };
  if (call.folder !== undefined && !worktree.isRoot(call.folder))
    return { why: `ran in ${call.folder}, not in the root of this run's worktree` };
  if (tool !== "shell" && call.kind !== "shell") return call.failed ? { why: "failed" } : undefined;
  if (call.exit === exit) return undefined;
  if (call.exit !== null) {
    const again = `mend what it tells, and run it again: ${call.command ?? call.tool}`;
    return { why: `exited with ${call.exit}`, fix: again };
  }
  return { why: call.failed ? "was not allowed, or cut off" : `${call.engine} does not tell how it ended` };
}

/** Why a call that counted does not count any more. */
async function whyNotNow(gate: CallGate, call: CountedCall, parts: Parts): Promise<Why | undefined> {
  if (call.kind === "shell") return whyStale(gate, call, parts);
  const { covers } = gate;
  const { tree, tree_before: before } = call;
  if (call.kind !== "edit" || covers.length === 0 || tree === null || before === null) return undefined;
  const edited = await parts.worktree.changed(before, tree, covers);
  return edited?.length === 0 ? { why: `changed none of ${covers.join(", ")}` } : undefined;
}

/** A command is evidence of what stood there before and after it, and still does. */
async function whyStale(gate: CallGate, call: CountedCall, { worktree, tree, base }: Parts): Promise<Why | undefined> {
  const { covers, fresh } = gate;
  if (call.tree === null || call.tree_before === null || tree === undefined)
    return { why: "git could not tell what stood in the worktree" };
  const meanwhile = await worktree.changed(call.tree_before, call.tree, covers);
  if (meanwhile === undefined) return { why: "git could not tell what changed" };
  if (meanwhile.length > 0) return { why: `${nameSome(meanwhile)} changed while it ran` };
  if (fresh) {
    const since = await worktree.changed(call.tree, tree, covers);
    if (since === undefined) return { why: "git could not tell what changed since" };
    if (since.length > 0) return { why: `${nameSome(since)} changed after it`, isStale: true };
  }
  const edited = await whatWasEdited(gate, call, { worktree, tree: call.tree, base });
  const fix = "put back what decides what it does, and run it again; a change that is meant is for a person to decide";
  return edited === undefined ? undefined : { why: edited, fix };
}

/** What decides what the command does, and was changed in this run. */
async function whatWasEdited(
  { keeps, match }: CallGate,
  { command = "", tree }: CountedCall,
  { worktree, base }: Parts,
): Promise<string | undefined> {
  if (base === null || tree === null) return undefined;
  const read = simpleCommandOf(command);
  const decided =
    match === undefined || "problem" in read ? { scripts: [], files: [] } : commandSources(read.words.filter(isKnown));
  const globs = keeps ?? decided.files;
  const files = globs.length === 0 ? [] : await worktree.changed(base, tree, globs);
  if (files === undefined) return "git could not tell whether what it runs was changed";
  if (files.length > 0) return `${nameSome(files)} was changed in this run, and decides what it does`;
  if (keeps !== undefined || decided.scripts.length === 0) return undefined;
  const [before, now] = await Promise.all([base, tree].map((each) => worktree.file(each, "package.json")));
  const called = calledByScripts(decided.scripts, before);
  const run = called.files.length === 0 ? [] : await worktree.changed(base, tree, called.files);
  if (run === undefined) return "git could not tell whether what its scripts run was changed";
  if (run.length > 0) return `${nameSome(run)} was changed in this run, and its scripts run it`;
  return changedScript(called.scripts, before, now);
}
