import type { StoredFile } from "../contract/run-fields.ts";
import { wordsFor } from "../contract/permission-values.ts";
import type { JournalLine, RunEvent } from "../contract/run-journal.ts";
import type { Signal, WorkInput } from "../contract/run.ts";
import type { MergeOffer } from "../contract/merge-offer.ts";
import { callArgs } from "../text/tool-call.ts";

/** What a run's session says of steps and waits, in words. */

export type WaitEvent = Extract<RunEvent, { actions: string[] }>;
type PermissionLine = Extract<JournalLine, { type: "agent.permission" }>;
export type CompletedEvent = Extract<RunEvent, { type: "workflow.step.completed" }>;

/** What a script printed; of what is too long for the journal, where it stands. */
export function outputText(runId: string, { output, output_file, stderr }: CompletedEvent): string {
  if (output_file) return `${output_file.bytes} bytes in ${pathOf(runId, output_file)}`;
  const text = typeof output === "string" ? output : "";
  return text.trim() === "" ? (stderr ?? "").trimEnd() : text;
}

function pathOf(runId: string, { sha256 }: StoredFile): string {
  return `.clew/logs/workflows/${runId}/${sha256}.txt`;
}

const maxTailChars = 2000;

/** Why a step failed; of a script, with the end of what it printed. */
export function failureReason(
  { error, exit_code, stderr, output }: CompletedEvent,
  input: WorkInput | undefined,
): string {
  const reason = error ?? (exit_code === undefined ? "failed" : `exited with ${exit_code}`);
  if (input?.kind !== "script") return reason;
  const printed = (stderr?.trim() ? stderr : typeof output === "string" ? output : "").trimEnd();
  const tail = tailOf(printed);
  return tail === "" ? reason : `${reason}\n\n${tail}`;
}

/** The last iterations tell most; all of them are in the journal. */
const maxIterations = 5;

export function waitText(line: WaitEvent): string {
  const { message, path, attempt, worktree, iteration_summaries, merge, actions, blocked_context } = line;
  // Sessions are committed, so they must not name folders of this machine.
  const folder = /\.worktrees\/.*$/s.exec(worktree)?.[0];
  const step = attempt === 1 ? path : `${path} (attempt ${attempt})`;
  const iterations = iteration_summaries
    .slice(-maxIterations)
    .map(({ iteration, summary }) => `- iteration ${iteration}: ${summary}`);
  const changes = merge ? changesOf(merge) : [];
  // A diff is for `run diff`; what a step printed is why it waits.
  const context = blocked_context && !merge ? contextOf(blocked_context, path) : [];
  return [
    `${step}: ${message}`,
    ...(folder ? [`in ${folder}`] : []),
    ...changes,
    ...context,
    ...iterations,
    ...actions,
  ].join("\n");
}

/** The end of what the step that matters printed. */
function contextOf(
  { step, stderr, output, summary }: NonNullable<WaitEvent["blocked_context"]>,
  path: string,
): string[] {
  const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
  const printed = [output, stderr].filter(isText).map((each) => tailOf(each.trimEnd()));
  const text = printed.length > 0 ? printed.join("\n") : (summary ?? "");
  if (text === "") return [];
  return [`last output of ${step?.path ?? path}:`, ...text.split("\n").map((line) => `    ${line}`)];
}

function tailOf(text: string): string {
  return text.length > maxTailChars ? `…${text.slice(-maxTailChars).toWellFormed()}` : text;
}

const maxFiles = 20;

function changesOf({ target, totals, files, flagged, proven, strategy }: MergeOffer): string[] {
  const asWord = (path: string): string => (/[\u0000-\u001f"\\]/.test(path) ? JSON.stringify(path) : path);
  const fileLines = files
    .slice(0, maxFiles)
    .map(({ path, from }) => `- ${from === undefined ? "" : `${asWord(from)} → `}${asWord(path)}`);
  const unlisted = totals.files - fileLines.length;
  return [
    `into ${target}${strategy === "squash" ? " as one commit" : ""}: ${totals.files} ${totals.files === 1 ? "file" : "files"}, +${totals.added} −${totals.deleted}`,
    ...fileLines,
    ...(unlisted > 0 ? [`- and ${unlisted} more`] : []),
    ...proofsOf(proven),
    ...flagged.map((path) => `${path} steers Clew itself: look at it with care`),
  ];
}

function proofsOf(proven: MergeOffer["proven"] = []): string[] {
  if (proven.length === 0) return ["no verify: nothing is proven of this very tree"];
  return proven.map(({ by, path, command, said, id }) => {
    if (by === "evidence") return `${path} was seen to run on this very tree: ${command} (evidence ${id})`;
    const what = `${by === "verify" ? "verify" : path} succeeded on this very tree`;
    // Of a long script the beginning tells nothing; what it printed last often does.
    if (command.includes("\n")) return said === "" ? what : `${what}: ${said}`;
    return `${what}: ${command}: exit 0`;
  });
}

/** What an agent asks for, and how it is answered. */
export function permissionText(line: PermissionLine): string {
  const { path, attempt, id, tool } = line;
  const step = attempt === 1 ? path : `${path} (attempt ${attempt})`;
  const call = callText(line).split("\n");
  return [
    `${step}: may its agent use ${tool}?`,
    ...call.map((each) => `    ${each}`),
    ...wordsFor(line).map((word) => `clew inbox answer ${id} ${word}`),
  ].join("\n");
}

function callText({ action, input }: PermissionLine): string {
  if (action?.kind === "run") return action.command;
  if (action?.kind === "read" || action?.kind === "edit") return `${action.kind} ${action.paths.join(", ")}`;
  return callArgs(input);
}

/** What a person added to a signal, as words. */
export function signalText(signal: Signal): string {
  if (signal.kind === "reject") return signal.reason;
  if (signal.kind === "changes") return signal.text;
  if (signal.kind !== "retry") return "";
  const inputs = Object.entries(signal.inputs).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  return [...(signal.engine === undefined ? [] : [`on ${signal.engine}`]), ...inputs].join("\n");
}
