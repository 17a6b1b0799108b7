import type { LogEntry } from "../../../contract/session.ts";
import type { TurnLine } from "../../../contract/turn.ts";
import type { ExecutionReport, LoggedAction } from "../../../contract/turn-report.ts";

/** What stands in a turn's folder, as far as the session tells of it. */
export interface TurnContents {
  title: string | undefined;
  message: string | undefined;
  rationale: string | undefined;
  report: ExecutionReport | undefined;
}

/** The entries of session.md that follow from a line of `turns.jsonl`. `number` is the line's, from 1. */
export function entriesOfLine(line: TurnLine, number: number, contents: TurnContents): LogEntry[] {
  const opened = { at: line.at, journal: number };
  const title = (what: string): string =>
    `${what} ${line.turn}${contents.title === undefined ? "" : `: ${contents.title}`}`;
  switch (line.type) {
    case "planned":
      if (line.plan_of !== undefined)
        return [
          { kind: "phase", title: title("Plan"), agent: line.agent, opened },
          { kind: "remark", text: `The plan of turn ${line.plan_of}, once more; no agent was asked.` },
        ];
      return [
        { kind: "phase", title: title("Plan"), agent: line.agent, opened },
        ...(filled(contents.message) ? [{ kind: "user" as const, text: contents.message }] : []),
        ...(filled(contents.rationale) ? [{ kind: "text" as const, text: contents.rationale }] : []),
        ...tokensOf(line),
      ];
    case "branched":
      return [
        { kind: "phase", title: `Branch ${line.turn}`, opened },
        { kind: "user", text: `branch ${line.from}`, action: `made ${line.turn}, with the context of ${line.from}` },
      ];
    case "executed":
      return [
        { kind: "phase", title: title("Execute"), opened },
        ...(contents.report ? entriesOfReport(contents.report) : []),
      ];
    case "undone":
      return [
        { kind: "phase", title: `Undo ${line.turn}`, opened },
        {
          kind: "user",
          text: `undo ${line.turn}`,
          action: `took back ${line.files.map(({ path }) => path).join(", ") || "nothing"}`,
        },
      ];
  }
}

function tokensOf({ tokens, model }: Extract<TurnLine, { type: "planned" }>): LogEntry[] {
  if (!tokens) return [];
  // Models are one word in a session.
  const named = model !== undefined && /^[^\s()]{1,200}$/.test(model) ? { model } : {};
  return [{ kind: "tokens", tokens: tokens.input + tokens.output, ...named }];
}

function entriesOfReport({ run_summary: { memos, details, status }, action_log }: ExecutionReport): LogEntry[] {
  const memoWords = memos.changes.map(({ change, text }) => `${change === "add" ? "+" : "-"} ${text}`).join("; ");
  const memoAnswer: LogEntry[] =
    memos.by === "user"
      ? [{ kind: "user", text: memos.answer === "accepted" ? "accept" : "reject", action: `memos: ${memoWords}` }]
      : memos.by === "no_terminal"
        ? [{ kind: "remark", text: `Memo changes were not made, because nobody could be asked: ${memoWords}` }]
        : [];
  let isRestApproved = false;
  const actions = action_log.flatMap((action) => {
    const { answer } = action.approval ?? {};
    const entries = [...(isRestApproved ? [] : approvalOf(action)), ...entriesOfAction(action)];
    if (answer === "approve_rest") isRestApproved = true;
    return entries;
  });
  const stopped: LogEntry[] =
    status === "ABORTED" ? [{ kind: "error", text: details ?? "The execution was stopped by a person." }] : [];
  return [...memoAnswer, ...approvedAtOnce(action_log), ...actions, ...notDone(action_log), ...stopped];
}

/** What a person approved beforehand, by `-y` or in a request. */
function approvedAtOnce(actions: readonly LoggedAction[]): LogEntry[] {
  const approved = actions.filter(({ approval }) => approval?.by === "flag");
  if (approved.length === 0) return [];
  return [{ kind: "user", text: "approve all", action: approved.map(nameOf).join("; ") }];
}

/** Calls that were never made are no calls. */
function notDone(actions: readonly LoggedAction[]): LogEntry[] {
  const skipped = actions.filter(({ status }) => status === "SKIPPED");
  if (skipped.length === 0) return [];
  return [{ kind: "remark", text: `Not done: ${skipped.map(nameOf).join("; ")}` }];
}

const words = { approve: "approve", approve_rest: "approve the rest", deny: "deny", stop: "stop" };

/** What a person said to an action. */
function approvalOf({ approval, ...action }: LoggedAction): LogEntry[] {
  if (!approval || approval.by !== "user" || approval.answer === "none") return [];
  const { answer, edited, reason } = approval;
  const what = `${nameOf(action)}${edited ? ", edited" : ""}`;
  return [
    { kind: "user", text: reason ?? words[answer], action: reason === undefined ? what : `${words[answer]} ${what}` },
  ];
}

function entriesOfAction(action: LoggedAction): LogEntry[] {
  const { type, status, details, output, exit_code: exitCode, reply } = action;
  if (status === "SKIPPED") return [];
  // What was denied was not done, either.
  const failed = status === "FAILURE" || status === "DENIED";
  const code = exitCode === undefined ? "" : `exit ${exitCode}`;
  const outcome = [status, code, details ?? ""].filter((part) => part !== "").join(", ");
  const call: LogEntry = {
    kind: "tool",
    name: type.toLowerCase(),
    args: subjectOf(action),
    result: outcome,
    ...(output !== undefined && output !== "" && { result_full: `${outcome}\n${output}` }),
    failed,
  };
  const expected = action.parameters["expected"];
  const error: LogEntry = {
    kind: "error",
    text: `${nameOf(action)} failed: ${details ?? (code || "no reason is known")}${
      typeof expected === "string" ? `; expected: ${expected}` : ""
    }`,
  };
  return [
    call,
    ...(status === "FAILURE" ? [error] : []),
    ...(filled(reply) ? [{ kind: "user" as const, text: reply, action: "answered the agent" }] : []),
  ];
}

function nameOf(action: Pick<LoggedAction, "type" | "parameters">): string {
  return `${action.type} ${subjectOf(action)}`.trim();
}

/** What an action is about: its path, command, sources or words. */
function subjectOf({ parameters }: Pick<LoggedAction, "parameters">): string {
  const { path, command, sources, agent, text } = parameters;
  for (const value of [path, command, agent, text]) if (typeof value === "string") return value;
  if (!Array.isArray(sources)) return "";
  return sources.map((source) => sourceText(source)).join(", ");
}

function sourceText(source: unknown): string {
  if (typeof source === "string") return source;
  const { text } = (source ?? {}) as { text?: unknown };
  return typeof text === "string" ? text : "";
}

function filled(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== "";
}
