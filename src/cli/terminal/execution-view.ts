import type { DoneAction, ExecutionPreview, ExecutionResult, ShownAction } from "../../contract/api/turn-execution.ts";
import type { ActionStatus, RunStatus } from "../../contract/turn.ts";
import { trimEndOf } from "../../text/trim.ts";
import { countChanges } from "../../text/unified-diff.ts";
import type { Screen } from "../context.ts";
import { clean, cleanLine } from "./clean.ts";
import { printable } from "./command-output.ts";
import { paintDiff } from "./merge-view.ts";
import { block } from "./run-block.ts";
import { count } from "./words.ts";
import { inColumns, wrapLines } from "./wrap.ts";

/** On the screen, longer diffs end in how much more there is; `v` at the question shows all. */
const mostDiffLines = 200;

/** What a plan is about, before its first action: what is wrong with it as the files are comes at once. */
export function viewExecutionStart(screen: Screen, preview: ExecutionPreview): string {
  const { colors } = screen;
  const { turn, title, agent, actions, plan_changed: isChanged } = preview;
  const problems = actions.filter(({ problem }) => problem !== undefined);
  return [
    `${colors.bold(`Turn ${turn}: ${cleanLine(title)}`)} ${colors.dim(`@${cleanLine(agent)}, ${count(actions.length, "action")}`)}`,
    ...(isChanged ? [`${colors.yellow("!")} plan.md was changed after it was written`] : []),
    ...problems.flatMap(({ action, type, line, problem }) => [
      ...wrapLines(
        screen,
        `${colors.red("✗")} action ${action} (${type}, line ${line}) cannot be done as the files are:`,
      ),
      ...block(screen, clean(problem!), { indent: 2, bar: colors.red("│") }),
    ]),
    "",
  ].join("\n");
}

export function viewMemoChanges(screen: Screen, changes: ExecutionPreview["memos"]): string[] {
  const { colors } = screen;
  return changes.flatMap(({ change, text, ignored }) => {
    const bar = change === "add" ? colors.green("+") : colors.red("-");
    const note = ignored === undefined ? "" : ` (no effect: ${cleanLine(ignored)})`;
    return block(screen, `${cleanLine(text)}${note}`, { indent: 2, bar });
  });
}

/** An action as a person decides on it: all that it would do, but for what of a diff is beyond `mostLines`. */
export function viewAction(screen: Screen, shown: ShownAction, of: number, mostLines = mostDiffLines): string {
  const { colors } = screen;
  const { action, type, description, subject, notes, problem, reason } = shown;
  const head =
    `${colors.dim(`[${action}/${of}]`)} ${colors.bold(type)} ${isInBody(shown) ? "" : cleanLine(subject)}`.trimEnd();
  const told = description === "" ? [] : wrapLines(screen, colors.dim(cleanLine(description)), "  ");
  return [
    ...wrapLines(screen, head),
    ...told,
    ...bodyOf(screen, shown, mostLines),
    ...(problem === undefined ? [] : block(screen, clean(problem), { indent: 2, bar: colors.red("✗") })),
    ...(shown.may_fail ? [colors.dim("  may fail: the plan goes on then")] : []),
    ...notes.flatMap((note) => wrapLines(screen, `${colors.yellow("!")} ${cleanLine(note)}`, "  ")),
    ...(reason === undefined ? [] : wrapLines(screen, `${colors.yellow("policy:")} ${cleanLine(reason)}`, "  ")),
  ].join("\n");
}

/** Whether what it is about is shown in full below its head. */
function isInBody({ command, sources, text, agent }: ShownAction): boolean {
  return command !== undefined || sources !== undefined || (text !== undefined && agent === undefined);
}

function bodyOf(screen: Screen, shown: ShownAction, mostLines: number): string[] {
  const { colors } = screen;
  const lines = (text: string, bar = colors.dim("│")): string[] => block(screen, clean(text), { indent: 2, bar });
  if (shown.diff !== undefined) return viewDiff(screen, shown.diff, mostLines);
  if (shown.command !== undefined) {
    const place = shown.cwd === undefined ? [] : wrapLines(screen, `${colors.dim("in")} ${cleanLine(shown.cwd)}`, "  ");
    const expected =
      shown.expected === undefined ? [] : wrapLines(screen, colors.dim(`expected: ${cleanLine(shown.expected)}`), "  ");
    return [...lines(shown.command, colors.cyan("$")), ...place, ...expected];
  }
  if (shown.sources !== undefined)
    return lines(shown.sources.map(({ kind, text }) => `${kind === "path" ? "" : `${kind}: `}${text}`).join("\n"));
  return shown.text === undefined ? [] : lines(shown.text);
}

/** A diff behind an indent. No line is cut: `┊` stands before the rest of one that is wider than the terminal. */
function viewDiff(screen: Screen, diff: string, mostLines: number): string[] {
  const { colors } = screen;
  const { added, deleted } = countChanges(diff);
  if (diff === "") return [colors.dim("  the file stays as it is")];
  const all = trimEndOf(clean(diff), "\n").split("\n");
  const more = all.length - Math.min(all.length, mostLines);
  return [
    ...all.slice(0, mostLines).flatMap((line) => viewDiffLine(screen, line)),
    ...(more > 0 ? [colors.yellow(`  … ${count(more, "more line")}, not shown here`)] : []),
    `  ${colors.green(`+${added}`)} ${colors.red(`−${deleted}`)}`,
  ];
}

/** Broken exactly where the terminal ends, so that blanks stay as they are. */
function viewDiffLine({ colors, width, onTerminal }: Screen, line: string): string[] {
  const [first = "", ...rest] = onTerminal ? inColumns(line, width - 4) : [line];
  const paint = line.startsWith("+") ? colors.green : line.startsWith("-") ? colors.red : (text: string) => text;
  return [`  ${paintDiff(colors, first)}`, ...rest.map((piece) => `  ${colors.dim("┊")} ${paint(piece)}`)];
}

const signs: Record<ActionStatus, string> = { SUCCESS: "✓", FAILURE: "✗", SKIPPED: "○", DENIED: "⊘" };

function viewStatus({ colors }: Screen, status: ActionStatus): string {
  const paint = status === "SUCCESS" ? colors.green : status === "FAILURE" ? colors.red : colors.yellow;
  return paint(signs[status]);
}

/** The result of an action, with its name: `✗ 3 EXECUTE npm test: exited with 1`. */
export function viewDone(screen: Screen, done: DoneAction): string {
  const { action, type, subject, status, details, may_fail: mayFail } = done;
  const head = `${viewStatus(screen, status)} ${action} ${type} ${type === "CHAT_WITH_USER" ? "" : cleanLine(subject)}`;
  const reason = details === undefined ? statusWords[status] : clean(details).replace(/^the command (?=\w)/, "");
  const goesOn = status === "FAILURE" && mayFail ? "; it may fail, going on" : "";
  return wrapLines(screen, `${head.trimEnd()}${reason === "" ? "" : `: ${reason}`}${goesOn}`).join("\n");
}

const statusWords: Record<ActionStatus, string> = {
  SUCCESS: "",
  FAILURE: "failed",
  SKIPPED: "skipped",
  DENIED: "denied",
};

/** The results where nobody watched: also what a failed command printed last, and what a person should have been asked. */
export function viewResults(screen: Screen, { actions }: ExecutionResult): string[] {
  const bar = screen.colors.dim("│");
  return actions.flatMap((each) => [
    viewDone(screen, each),
    ...(each.output === undefined ? [] : block(screen, printable(each.output), { indent: 2, bar })),
    ...(each.text === undefined ? [] : block(screen, clean(each.text), { indent: 2, bar })),
  ]);
}

const endWords: Record<RunStatus, string> = {
  SUCCESS: "all of it was done",
  PARTIAL: "it was done, but for what was denied or may fail",
  FAILURE: "an action failed, and what came after it was skipped",
  ABORTED: "it was stopped",
};

function unaskedMemos(screen: Screen): string[] {
  const text = `memo changes were rejected: without a terminal nobody could be asked about them, and -y does not cover them; "turn_memos: accept" in your own settings accepts them (docs/CONFIG.md)`;
  return wrapLines(screen, `${screen.colors.yellow("!")} ${text}`);
}

export function viewExecutionEnd(screen: Screen, result: ExecutionResult): string {
  const { colors } = screen;
  const { status, turn, session_id: session, files, report } = result;
  const paint = status === "SUCCESS" ? colors.green : status === "PARTIAL" ? colors.yellow : colors.red;
  const again = `clew session branch ${turn} --same-plan -s ${session}`;
  const undo = files.length === 0 ? [] : [colors.dim(`undo: clew session undo ${turn} -s ${session}`)];
  return [
    "",
    `${paint(status)} turn ${turn}: ${endWords[status]}`,
    ...files.map(({ path, change }) => `  ${change} ${cleanLine(path)}`),
    ...result.not_written.map((path) => `  ${colors.yellow("approved, and not written:")} ${cleanLine(path)}`),
    ...(result.memos_by === "no_terminal" ? unaskedMemos(screen) : []),
    `report: ${cleanLine(report)}`,
    ...undo,
    ...(status === "FAILURE" || status === "ABORTED" ? [colors.dim(`again: ${again}`)] : []),
    colors.dim(`next: ${result.next_command}`),
    "",
  ].join("\n");
}
