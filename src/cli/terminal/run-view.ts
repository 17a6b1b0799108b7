import type { RunDetails } from "../../contract/api/run.ts";
import { wordOf } from "../../contract/permission-values.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { viewInterrupted } from "./run-end-view.ts";
import { viewRequestWithCommands } from "./permission-view.ts";
import { viewSteps } from "./run-steps-view.ts";
import { viewWait } from "./run-wait-view.ts";
import { limitsText, paintRunStatus, placeText, usageText } from "./run-words.ts";
import { ago, duration, localTime } from "./time.ts";
import { factLines } from "./words.ts";

/**
 * A run as a person reads it: what and where, the steps as a tree, and last (where the eye rests) why it waits.
 */
export function viewRun(screen: Screen, run: RunDetails): string {
  const parts = [viewHead(screen, run)];
  if (run.steps.length > 0) parts.push(viewSteps(screen, run.steps).join("\n"));
  for (const request of run.permissions ?? []) parts.push(viewRequestWithCommands(screen, request).join("\n"));
  if (run.blocked_reason !== undefined) parts.push(viewWait(screen, run));
  else if (run.status === "interrupted") parts.push(viewInterrupted(screen, run));
  return parts.join("\n\n");
}

function viewHead(screen: Screen, run: RunDetails): string {
  const { colors } = screen;
  const facts: [string, string][] = [
    ["run", run.id],
    ["bead", run.bead_id],
    ["grimoire", `${run.grimoire} · ${run.progress.done} of ${run.progress.total} steps done`],
    ["started", `${localTime(run.started)} · ${ago(run.started, screen.nowMs())}`],
    ["ended", run.ended === null ? "" : localTime(run.ended)],
    ["worked", duration(Math.round(run.running_ms))],
    ["used", usedText(run)],
    ["limits", limitsText(run.limits)],
    ["target", [run.target, run.base?.slice(0, 12)].filter((each) => each != null).join(" from ")],
    ["worktree", run.worktree ?? ""],
    ["branch", run.branch ?? ""],
    ["session", run.session_id === null ? "" : `${run.session_id} (clew session show ${run.session_id})`],
    ["journal", run.journal],
    ...run.signals.map((signal, at): [string, string] => [at === 0 ? "signals" : "", signalText(signal)]),
  ];
  const title = `${colors.bold(cleanLine(run.bead_title))}  ${paintRunStatus(colors, run.status)}`;
  return [title, ...factLines(colors, facts, 8)].join("\n");
}

function usedText({ usage, rounds = 0 }: RunDetails): string {
  const text = usageText(usage);
  return rounds === 0 || text === "" ? text : `${text} · ${rounds} ${rounds === 1 ? "round" : "rounds"}`;
}

/** A program that came with a token to the daemon has no process of its own there. */
function originText({ user, terminal, pid, command }: NonNullable<RunDetails["signals"][number]["by"]>): string {
  const token = /, (token [\w-]{1,100})$/.exec(command)?.[1];
  if (token !== undefined) return `${user} with ${token}`;
  return `${user} ${terminal === null ? "without a terminal" : `at ${terminal}`}, process ${pid}`;
}

/** `approve of merge by ada at /dev/pts/3, process 4711, 2026-11-16 10:32`: what, to what, who, where, when. */
function signalText(signal: RunDetails["signals"][number]): string {
  const { kind, to, by, at, taken } = signal;
  const text = signal.kind === "reject" ? signal.reason : "text" in signal ? signal.text : "";
  const said = signal.kind === "permission" ? wordOf(signal.option) : kind.replace("_", " ");
  const who = by ? ` by ${originText(by)}` : "";
  const what = `${said}${to ? ` ${signal.kind === "message" ? "to" : "of"} ${placeText(to)}` : ""}${who}, ${localTime(at)}`;
  const fate = taken === null ? " (not taken up yet)" : taken ? "" : " (did not count)";
  return `${what}${fate}${text === "" ? "" : `: ${text}`}`;
}
