import { displayPath, type BytePath } from "../plumbing/paths.ts";

/** A path that git could not merge: which of base (1), ours (2) and theirs (3) have it, and its text in the worktree. */
export interface UnmergedPath {
  path: BytePath;
  stages: number[];
  /** Undefined when it is no text file that can be looked at. */
  text: string | undefined;
}

/** Longer texts are cut: the files themselves have it all. */
const maxChars = 64 * 1024;
const contextLines = 3;

/** The conflict as a person sees it: each hunk under its file and line. */
export function describeConflict(unmergedPaths: UnmergedPath[]): string {
  let text = "";
  for (const unmergedPath of unmergedPaths) {
    text += describe(unmergedPath);
    if (text.length <= maxChars) continue;
    return `${text.slice(0, text.lastIndexOf("\n", maxChars) + 1)}[cut here: the files in the worktree have the rest]\n`;
  }
  return text;
}

function describe({ path, stages, text }: UnmergedPath): string {
  const hunks = text === undefined ? [] : hunksOf(text);
  if (hunks.length === 0) return `${displayPath(path)}: ${describeStages(stages)}\n`;
  return hunks.map(({ line, lines }) => `${displayPath(path)}:${line}\n${lines.join("\n")}\n`).join("");
}

function hunksOf(text: string): { line: number; lines: string[] }[] {
  const lines = text.split("\n");
  const hunks: ReturnType<typeof hunksOf> = [];
  for (let at = 0; at < lines.length; at++) {
    if (!/^<{7,} /.test(lines[at]!)) continue;
    let last = at + 1;
    while (last < lines.length - 1 && !/^>{7,} /.test(lines[last]!)) last++;
    const first = Math.max(0, at - contextLines);
    hunks.push({ line: at + 1, lines: lines.slice(first, last + 1 + contextLines) });
    at = last;
  }
  return hunks;
}

/** In the worktree "ours" is the run's branch, and "theirs" the target. */
function describeStages(stages: number[]): string {
  const [base, ours, theirs] = [1, 2, 3].map((stage) => stages.includes(stage));
  const wayOut = "git add it to keep it, or git rm it";
  if (base && ours && !theirs) return `changed on this branch, deleted on the target: ${wayOut}`;
  if (base && theirs && !ours) return `deleted on this branch, changed on the target: ${wayOut}`;
  if (ours && theirs) return "changed on both sides, and git cannot merge it: put the right one there and git add it";
  return "renamed or added differently on the two sides: git add what stays, git rm what goes";
}
