import type { ListedWorktree, PrunedWorktrees, RemovedWorktree } from "../../contract/api/worktree.ts";
import type { Screen } from "../context.ts";
import { clean, cleanLine } from "./clean.ts";
import { runStatusCell } from "./run-words.ts";
import { pathFrom } from "./words.ts";
import { table, type Cell, type Column } from "./table.ts";

const columns: Column[] = [
  { title: "WORKTREE", isId: true },
  { title: "RUN" },
  { title: "AHEAD", align: "right", givesWay: 3 },
  { title: "CHANGES", givesWay: 2 },
  { title: "BRANCH", isId: true, givesWay: 1 },
  { title: "KEPT BECAUSE", wraps: Infinity },
];

export function viewWorktrees(screen: Screen, worktrees: ListedWorktree[], root: string): string {
  if (worktrees.length === 0) return "No worktrees of runs.";
  const { colors } = screen;
  const rows = worktrees.map((each): Cell[] => [
    cleanLine(pathFrom(root, each.path)),
    each.status === null ? { text: "unknown", paint: colors.dim } : runStatusCell(colors, each.status),
    each.ahead === null ? "?" : String(each.ahead),
    each.dirty ? { text: "yes", paint: colors.yellow } : "no",
    cleanLine(each.branch ?? "–"),
    each.kept_because === null
      ? { text: "(clew worktree prune takes it)", paint: colors.dim }
      : cleanLine(each.kept_because),
  ]);
  return table(screen, columns, rows);
}

export function viewPruned(
  screen: Screen,
  { dry_run, removed, kept, branches }: PrunedWorktrees,
  root: string,
): string {
  const { colors } = screen;
  if (removed.length + kept.length + branches.length === 0) return "No worktrees of runs.";
  const removedLabel = colors.green(dry_run ? "would go" : "removed ");
  return [
    ...removed.map((each) => `${removedLabel}  ${cleanLine(pathFrom(root, each.path))}`),
    ...kept.map((each) => {
      const line = `${colors.yellow("kept    ")}  ${cleanLine(pathFrom(root, each.path))}: ${cleanLine(each.kept_because ?? "")}`;
      return each.what_to_do === null ? line : `${line}\n            ${colors.dim(clean(each.what_to_do))}`;
    }),
    ...branches.map(({ branch, what_to_do }) =>
      what_to_do === null
        ? `${removedLabel}  branch ${cleanLine(branch)}`
        : `${colors.yellow("kept    ")}  branch ${cleanLine(branch)}: its commits are nowhere else\n            ${colors.dim(clean(what_to_do))}`,
    ),
  ].join("\n");
}

export function viewRemoved({ path, branch, commit }: RemovedWorktree, root: string): string {
  const what = [...(path === null ? [] : [pathFrom(root, path)]), ...(branch === null ? [] : [`branch ${branch}`])];
  const restoreHint = commit === null ? "" : `\n  git branch ${branch} ${commit} brings its commits back`;
  return clean(`Removed ${what.join(" and ")}${restoreHint}`);
}
