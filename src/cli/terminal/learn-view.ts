import type { CaseCounts, CaseList, ExportSummary, LearningCase } from "../../contract/api/learn.ts";
import type { LearnFormat, ExclusionReason } from "../../contract/learn-values.ts";
import type { Screen } from "../context.ts";
import { shellWord } from "../../text/shell-word.ts";
import { cleanLine } from "./clean.ts";
import { table, type Cell, type Column } from "./table.ts";

const reasonWords: Record<ExclusionReason, string> = {
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
export function viewCases(screen: Screen, { cases, counts }: CaseList, filters: Filters): string {
  const { colors } = screen;
  const columns: Column[] = [
    { title: "CASE", isId: true },
    { title: "TYPE" },
    { title: "SHOWN BY" },
    { title: "WHAT", wraps: 1, room: 12 },
  ];
  const rows = cases.map((each): Cell[] => [
    each.id,
    each.type,
    each.basis === null ? { text: "open", paint: colors.yellow } : each.basis.replace("_", " "),
    cleanLine(subjectOf(each)),
  ]);
  if (rows.length === 0) return [...countLines(counts), wayOn(counts, filters)].join("\n");
  return [table(screen, columns, rows), "", ...countLines(counts)].join("\n");
}

/** What was asked for: names of options with their values. */
type Filters = readonly (readonly [name: string, value: unknown])[];

/** What to do where nothing came of it. */
function wayOn({ sessions, left_out }: CaseCounts, filters: Filters): string {
  if (filters.length > 0) {
    const options = filters.map(([name, value]) => `--${name} ${shellWord(cleanLine(String(value)))}`).join(" ");
    return `Next: ask without ${options}; clew session list shows agents, models and dates`;
  }
  if (sessions === 0) return "Next: clew session import takes in what engines left on this machine";
  return Object.keys(left_out).length === 0
    ? "Next: clew session list shows the sessions; nothing failed in these, and no user put an agent right"
    : "Next: clew session learn --json names each that was left out, with its line";
}

function subjectOf(found: LearningCase): string {
  const { entry } = found.type === "puzzle" ? found.failure[0]! : found.words;
  if (entry.kind === "tool") return `${entry.name} ${entry.args}`.slice(0, 200);
  return "text" in entry ? entry.text.slice(0, 200) : "";
}

function countLines({ sessions, puzzles, corrections, open, left_out }: CaseCounts): string[] {
  const found = `${number(puzzles, "puzzle")} and ${number(corrections, "correction")} in ${number(sessions, "session")}${open === 0 ? "" : `, ${open} of them open`}`;
  const reasons = Object.entries(left_out) as [ExclusionReason, number][];
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
export function exportLines(
  { format, files, written, counts }: ExportSummary,
  output: string | undefined,
  filters: Filters,
): string[] {
  const what = format === "atif" && written !== 1 ? `${written} trajectories` : number(written, things[format]);
  const names = files.length === 1 && output !== undefined ? [output] : files;
  const place = names.length === 0 ? "" : `: ${names.map(cleanLine).join(", ")}`;
  const head =
    output === undefined
      ? what
      : written === 0
        ? `Nothing was written: there is no ${things[format]}`
        : `Wrote ${what}${place}`;
  const [found = "", ...others] = countLines(counts);
  return [head, ...(format === "atif" ? [] : [found]), ...others, ...(written === 0 ? [wayOn(counts, filters)] : [])];
}

function number(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
