import type { ListedWorktree, PrunedWorktrees } from "../../contract/worktree.ts";
import { clean, cleanLine } from "./clean.ts";
import { paintStatus, type Look } from "./run-words.ts";
import { table } from "./table.ts";

export function viewWorktrees({ colors, width }: Look, worktrees: ListedWorktree[], root: string): string {
  if (worktrees.length === 0) return "No worktrees of runs.";
  return table(
    [
      { title: "WORKTREE" },
      { title: "RUN" },
      { title: "AHEAD", align: "right" },
      { title: "CHANGES" },
      { title: "BRANCH" },
      { title: "KEPT BECAUSE", flexible: true },
    ],
    worktrees.map((each) => [
      cleanLine(shortPath(each, root)),
      each.status === null ? colors.dim("unknown") : paintStatus(colors, each.status),
      each.ahead === null ? "?" : String(each.ahead),
      each.dirty ? colors.yellow("yes") : "no",
      cleanLine(each.branch ?? "–"),
      each.kept_because === null ? colors.dim("(clew worktree prune takes it)") : cleanLine(each.kept_because),
    ]),
    width,
    colors.dim,
  );
}

export function viewPruned({ colors }: Look, { dry_run, removed, kept }: PrunedWorktrees, root: string): string {
  if (removed.length + kept.length === 0) return "No worktrees of runs.";
  const gone = colors.green(dry_run ? "would go" : "removed ");
  return [
    ...removed.map((each) => `${gone}  ${cleanLine(shortPath(each, root))}`),
    ...kept.map((each) => {
      const line = `${colors.yellow("kept    ")}  ${cleanLine(shortPath(each, root))}: ${cleanLine(each.kept_because ?? "")}`;
      return each.what_to_do === null ? line : `${line}\n            ${colors.dim(clean(each.what_to_do))}`;
    }),
  ].join("\n");
}

function shortPath({ path }: ListedWorktree, root: string): string {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
