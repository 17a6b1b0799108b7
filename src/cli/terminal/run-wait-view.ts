import type { RunDetails } from "../../contract/api/run.ts";
import { cleanLine } from "./clean.ts";
import { viewOffer } from "./merge-view.ts";
import { block } from "./run-block.ts";
import { storedFileText, paintStatus, placeText, type Look } from "./run-words.ts";
import { padTo, widthOf } from "./width.ts";
import { wrapped } from "./wrap.ts";

/** Why a run waits for a person and how it goes on: what, where, the last output, the iterations, the commands. */
export function viewWait(look: Look, run: RunDetails): string {
  const { colors } = look;
  const place = run.current ? ` at ${colors.bold(placeText(run.current))}` : "";
  const what = `${paintStatus(colors, run.status)}${place}: ${cleanLine(run.message ?? "")}`;
  const lines = [
    ...wrapped(look, `${colors.yellow("⏸")} ${what}`),
    ...(run.worktree === null ? [] : [`  ${colors.dim("worked in")} ${cleanLine(run.worktree)}`]),
  ];
  if (run.merge) {
    const offer = viewOffer(look, run.merge, { branch: run.branch, mostFiles: 12 });
    lines.push("", ...offer.split("\n").map((line) => `  ${line}`), "");
  }
  const tail = run.failed_output;
  if (tail) {
    lines.push(`  ${colors.dim(`last output of ${placeText(tail)}`)}`);
    if (tail.text !== "") lines.push(...block(look, tail.text, { indent: 2, bar: colors.dim("│") }));
    for (const file of tail.files) lines.push(`  ${colors.dim("whole output:")} ${storedFileText(file, run.journal)}`);
  }
  const iterations = run.iteration_summaries ?? [];
  if (iterations.length > 0) lines.push(`  ${colors.dim(`iterations of ${cleanLine(iterations[0]!.path)}`)}`);
  for (const { iteration, summary } of iterations) {
    lines.push(...block(look, cleanLine(summary), { indent: 2, bar: colors.dim(String(iteration).padStart(3)) }));
  }
  return [...lines, `  ${colors.dim("go on with")}`, ...viewCommands(look, commandsOf(run))].join("\n");
}

type Told = [command: string, what: string];

function commandsOf({ id, actions = [] }: RunDetails): Told[] {
  const commands = actions.map((action): Told => [cleanLine(action), actionWords[action.split(" ")[2] ?? ""] ?? ""]);
  return [...commands, [`clew run show ${id}`, "what happened so far"], [`clew run log ${id}`, "every line of it"]];
}

const actionWords: Record<string, string> = {
  retry: "once it is mended; --input NAME=VALUE changes a variable",
  cancel: "give it up",
  diff: "what would be merged",
  approve: "let it be merged",
  changes: "have it changed, and asked again",
  reject: "refuse it; -r says why",
};

/** Commands to copy, each with what it is for: beside it, or below it where the terminal is too narrow. */
export function viewCommands(look: Look, commands: Told[]): string[] {
  const { colors } = look;
  const room = Math.max(...commands.map(([command]) => widthOf(command)));
  const isNarrow = look.onTerminal && commands.some(([, what]) => 4 + room + 2 + widthOf(what) > look.width);
  return commands.flatMap(([command, what]) => {
    if (isNarrow)
      return [`    ${colors.cyan(command)}`, ...wrapped(look, `      ${what}`).map((line) => colors.dim(line))];
    return [`    ${colors.cyan(padTo(command, room))}  ${colors.dim(what)}`.trimEnd()];
  });
}
