import type { RunDetails } from "../../contract/api/run.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { viewOffer } from "./merge-view.ts";
import { missingHeading, viewMissing } from "./missing-view.ts";
import { block } from "./run-block.ts";
import { storedFileText, paintRunStatus, placeText } from "./run-words.ts";
import { padTo, widthOf } from "./width.ts";
import { wrapLines } from "./wrap.ts";

/** Why a run waits for a person and how it goes on: what, where, the last output, the iterations, the commands. */
export function viewWait(screen: Screen, run: RunDetails): string {
  const { colors } = screen;
  const place = run.current ? ` at ${colors.bold(placeText(run.current))}` : "";
  const missing = run.blocked_reason === "evidence" ? (run.blocked_context?.missing ?? []) : [];
  const why = missing.length === 0 ? cleanLine(run.message ?? "") : missingHeading(missing);
  const what = `${paintRunStatus(colors, run.status)}${place}: ${why}`;
  const lines = [
    ...wrapLines(screen, `${colors.yellow("⏸")} ${what}`),
    ...viewMissing(screen, missing),
    ...(run.worktree === null ? [] : [`  ${colors.dim("worked in")} ${cleanLine(run.worktree)}`]),
  ];
  if (run.merge) {
    const offer = viewOffer(screen, run.merge, { branch: run.branch, mostFiles: 12 });
    lines.push("", ...offer.split("\n").map((line) => `  ${line}`), "");
  }
  const tail = run.failed_output;
  if (tail) {
    lines.push(`  ${colors.dim(`last output of ${placeText(tail)}`)}`);
    if (tail.text !== "") lines.push(...block(screen, tail.text, { indent: 2, bar: colors.dim("│") }));
    for (const file of tail.files) lines.push(`  ${colors.dim("whole output:")} ${storedFileText(file, run.journal)}`);
  }
  const iterations = run.iteration_summaries ?? [];
  if (iterations.length > 0) lines.push(`  ${colors.dim(`iterations of ${cleanLine(iterations[0]!.path)}`)}`);
  for (const { iteration, summary } of iterations) {
    lines.push(...block(screen, cleanLine(summary), { indent: 2, bar: colors.dim(String(iteration).padStart(3)) }));
  }
  return [...lines, `  ${colors.dim("go on with")}`, ...viewCommands(screen, commandsOf(run))].join("\n");
}

export type CommandHint = [command: string, what: string];

function commandsOf({ id, actions = [], blocked_reason }: RunDetails): CommandHint[] {
  const commands = actions.map((action): CommandHint => [
    cleanLine(action),
    blocked_reason === "limit" && action.startsWith("clew run retry ")
      ? "go on with a higher limit"
      : (actionWords[action.split(" ")[action.startsWith("clew inbox ") ? 4 : 2] ?? ""] ?? ""),
  ]);
  return [...commands, [`clew run show ${id}`, "what happened so far"], [`clew run log ${id}`, "every line of it"]];
}

const actionWords: Record<string, string> = {
  retry: "once it is mended; --input NAME=VALUE changes a variable",
  cancel: "give it up",
  allow: "its agent goes on, and may make that call once",
  always: "its agent goes on, and may always make such a call",
  deny: "its agent goes on without it",
  diff: "what would be merged",
  approve: "let it be merged",
  changes: "have it changed, and asked again",
  reject: "refuse it; -r says why",
};

/** Commands to copy, each with what it is for: beside it, or below it where the terminal is too narrow. */
export function viewCommands(screen: Screen, commands: CommandHint[]): string[] {
  const { colors } = screen;
  const room = Math.max(...commands.map(([command]) => widthOf(command)));
  const isNarrow = screen.onTerminal && commands.some(([, what]) => 4 + room + 2 + widthOf(what) > screen.width);
  return commands.flatMap(([command, what]) => {
    if (isNarrow)
      return [`    ${colors.cyan(command)}`, ...wrapLines(screen, `      ${what}`).map((line) => colors.dim(line))];
    return [`    ${colors.cyan(padTo(command, room))}  ${colors.dim(what)}`.trimEnd()];
  });
}
