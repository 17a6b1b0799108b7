import type { Api } from "../../../contract/api/api.ts";
import type { DriveNews, RunDetails } from "../../../contract/api/run.ts";
import { StoppedByPerson, type VisibleStatus } from "../../../contract/run.ts";
import type { CliContext } from "../../context.ts";
import { clean, cleanJson } from "../../terminal/clean.ts";
import { viewEnd, viewTitle, type StartedLine } from "../../terminal/run-end-view.ts";
import { QueuedOutput } from "../../terminal/output.ts";
import { jsonReporter, TextReporter, type Reporter } from "../../terminal/run-reporter.ts";
import { warnOfRemovedFolder, viewAfterRun } from "./after-run.ts";
import { PermissionPrompt } from "./permission-prompt.ts";

/** What a script sees. */
export const exitCodes: Record<VisibleStatus, number> = {
  completed: 0,
  failed: 1,
  cancelled: 1,
  blocked: 3,
  pending_merge: 4,
  interrupted: 130,
  running: 130,
};

export interface DriveRequest {
  runId: string;
  from: "beginning" | "now";
  json: boolean;
  /** Whether the events are part of what `--json` prints. */
  withEvents?: boolean;
  exits?: Record<VisibleStatus, number>;
}

/** Goes on with a run, reports on it, and sets the exit code. A run that has ended, or waits, is only shown. */
export async function drive(context: CliContext, request: DriveRequest): Promise<void> {
  const { runId, from, json, withEvents = true, exits = exitCodes } = request;
  const show = async (): Promise<RunDetails> => (await context.api.runs.show({ run: runId })).run;
  const stop = new AbortController();
  // The step's processes have to be ended before the program may end.
  const output = new QueuedOutput(() => stop.abort());
  const write = (text: string): void => output.push(text);
  const reporter: Reporter = json
    ? jsonReporter(runId, withEvents ? write : undefined, (text) => context.output.say(text))
    : await textReporter(context, runId, write);
  let isFollowing = false;
  const { worktree } = await show();
  const onInterrupt = (signal: NodeJS.Signals): void => {
    if (!isFollowing) reporter.print(`stopping; the run can be resumed: clew run resume ${runId}`);
    // A terminal that went away is no decision about the run.
    stop.abort(signal === "SIGHUP" ? undefined : new StoppedByPerson(signal === "SIGINT" ? "Ctrl-C" : signal));
  };
  void context.input.untilInterrupted().then(onInterrupt);
  context.output.muteProgress();
  const { say } = context.output;
  // A warning in the middle of what is drawn would stay there.
  if (!json && context.terminal.canRedraw) context.output.say = (line) => reporter.print(line);
  const remarks: string[] = [];
  const prompt =
    json || !context.input.interactive
      ? undefined
      : new PermissionPrompt(context, reporter, { folder: worktree, flush: () => output.flush() });
  const report = async (news: DriveNews): Promise<void> => {
    if (news.kind === "line") {
      reporter.line(news.line);
      prompt?.line(news.line);
      // The run is over, and nothing of it is drawn while its worktree is put away.
      if (news.line.type === "workflow.completed" || news.line.type === "workflow.cancelled") reporter.close();
    } else if (news.kind === "following") {
      isFollowing = true;
      reporter.print("another process drives this run; following it");
      const state = await show();
      reporter.showState(state);
      for (const asked of state.permissions ?? []) prompt?.ask(asked);
    } else remarks.push(news.text);
  };
  try {
    for await (const news of await context.api.runs.drive({ run: runId, from }, { signal: stop.signal }))
      await report(news);
  } finally {
    prompt?.close();
    reporter.close();
    context.output.say = say;
  }
  const run = await show();
  write(json ? `${cleanJson({ run })}\n` : `${viewEnd(context.terminal, run)}\n`);
  if (!json) write(await viewAfterRun(context, run, worktree));
  await output.flush();
  for (const remark of remarks) context.output.say(clean(remark));
  await warnOfRemovedFolder(context, worktree);
  context.exitCode = waitsForWord(run) ? exits.pending_merge : exits[run.status];
  if (!output.isRead) sayUnread(context, run);
}

/** Blocked, but only until a person has allowed something: a call of its agent, or that more is used. */
function waitsForWord({ status, blocked_reason }: RunDetails): boolean {
  return status === "blocked" && (blocked_reason === "permission" || blocked_reason === "limit");
}

async function textReporter(context: CliContext, runId: string, write: (text: string) => void): Promise<TextReporter> {
  const first = await firstLine(context.api, runId);
  if (first) write(`${viewTitle(context.terminal, first)}\n`);
  const grimoire = first?.pinned.grimoire;
  return new TextReporter(context.terminal, write, { grimoire, asks: context.input.interactive }).open();
}

/** What the run was started with, which may be another grimoire than the file holds by now. */
async function firstLine(api: Api, runId: string): Promise<StartedLine | undefined> {
  for await (const line of await api.runs.lines({ run: runId })) if (line.type === "workflow.started") return line;
  return undefined;
}

/** The run stopped before its end because its output has no reader, not by Ctrl-C: a script has to see that. */
function sayUnread(context: CliContext, { id, status }: RunDetails): void {
  if (status !== "interrupted" && status !== "running") return;
  context.output.say(`nobody reads the output any more, so the run was stopped: clew run resume ${id} goes on with it`);
  context.exitCode = 1;
}
