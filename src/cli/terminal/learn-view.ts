import type { CaseCounts, CaseList, ExportSummary, LearningCase } from "../../contract/api/learn.ts";
import type { LearnFormat, LeftOutReason } from "../../contract/learn-values.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { table, type Cell, type Column } from "./table.ts";

const reasonWords: Record<LeftOutReason, string> = {
  filtered: "of another agent, model, engine, outcome, time or tag",
  environment: "of the machine or the network",
  transient: "passed without a change, or timed out",
  duplicate: "the same in other words",
  interrupted: "stopped by a person",
  approval: "the user agreed",
  new_task: "the user asked for something else",
  open: "nothing shows what is right",
  no_command: "no command failed and passed",
  outside_folder: "the command names folders that a task has not",
  redacted: "the command held a secret",
  secret_in_files: "the files of its commits hold what looks like a secret",
  too_large: "files of its commits are too large, or all tasks together",
  no_commit: "its commit is not known",
  no_fix: "no later commit is known",
  not_checked_out: "git no longer has its commit",
  archive_differs: "archives of git have other files or bytes than its commits",
  check_failed: "did not fail without the solution, or not pass with it",
  other_session_holds_it: "stands inside the session of its agent",
  empty: "without entries",
  unreadable: "cannot be read",
};

/** Cases as a list, with what was left out and why. */
export function viewCases(screen: Screen, { cases, counts }: CaseList): string {
  const { colors } = screen;
  const columns: Column[] = [
    { title: "TYPE" },
    { title: "CASE", isId: true },
    { title: "SHOWN BY", givesWay: 1 },
    { title: "WHAT" },
  ];
  const rows = cases.map((each): Cell[] => [
    each.type,
    each.id,
    each.basis === null ? { text: "open", paint: colors.yellow } : each.basis.replace("_", " "),
    cleanLine(subjectOf(each)),
  ]);
  return [...(rows.length === 0 ? [] : [table(screen, columns, rows), ""]), ...countLines(counts)].join("\n");
}

function subjectOf(found: LearningCase): string {
  const { entry } = found.type === "puzzle" ? found.failure[0]! : found.words;
  if (entry.kind === "tool") return `${entry.name} ${entry.args}`.slice(0, 200);
  return "text" in entry ? entry.text.slice(0, 200) : "";
}

function countLines({ sessions, puzzles, corrections, open, left_out }: CaseCounts): string[] {
  const found = `${number(puzzles, "puzzle")} and ${number(corrections, "correction")} in ${number(sessions, "session")}${open === 0 ? "" : `, ${open} of them open`}`;
  const reasons = Object.entries(left_out) as [LeftOutReason, number][];
  if (reasons.length === 0) return [found];
  return [
    found,
    "left out:",
    ...reasons.map(([reason, count]) => `  ${String(count).padStart(5)}  ${reasonWords[reason]}`),
  ];
}

const things: Record<LearnFormat, string> = {
  jsonl: "line",
  markdown: "case",
  puzzle: "case",
  harbor: "task",
  atif: "trajectory",
};

/** What became of an export. */
export function exportLines({ format, files, written, counts }: ExportSummary, output: string | undefined): string[] {
  const what = format === "atif" && written !== 1 ? `${written} trajectories` : number(written, things[format]);
  const names = files.length === 1 && output !== undefined ? [output] : files;
  const place = names.length === 0 ? "" : `: ${names.map(cleanLine).join(", ")}`;
  const head = output === undefined ? what : `Wrote ${what}${place}`;
  const [found = "", ...others] = countLines(counts);
  return [head, ...(format === "atif" ? [] : [found]), ...others];
}

function number(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
