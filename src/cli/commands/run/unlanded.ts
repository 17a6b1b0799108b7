import type { RunDetails } from "../../../contract/api/run.ts";
import { shellWord } from "../../../text/shell-word.ts";
import type { CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { viewCommands, type CommandHint } from "../../terminal/run-wait-view.ts";
import { pathFrom } from "../../terminal/words.ts";
import { wrapLines } from "../../terminal/wrap.ts";

/** Of a completed run that merged nothing: where its work lies, and how it lands. Empty when nothing of it is left. */
export async function viewUnlanded(
  { api, terminal }: Pick<CliContext, "api" | "terminal">,
  run: RunDetails,
): Promise<string[]> {
  const hasMerged = run.steps.some(({ kind, status }) => kind === "merge" && status === "succeeded");
  if (run.status !== "completed" || run.worktree === null || hasMerged) return [];
  const { worktrees } = await api.worktrees.list({ run: run.id });
  const worktree = worktrees.find((each) => each.dirty || each.ahead !== 0);
  if (!worktree) return [];
  const { root } = await api.repository.show({});
  const { path, dirty, branch } = worktree;
  const folder = cleanLine(pathFrom(root, path));
  const place = dirty ? `not committed, in ${folder}` : `on its branch, ${cleanLine(branch ?? folder)}`;
  const what = `nothing landed: no merge step ran, and what the run changed is ${place}`;
  const git = `git -C ${shellWord(cleanLine(path))}`;
  const subject = shellWord(cleanLine(run.bead_title));
  const commands: CommandHint[] = [
    [`clew run diff ${run.id}`, "look at it"],
    ...(dirty ? [[`${git} add -A && ${git} commit -m ${subject}`, "commit it"] satisfies CommandHint] : []),
    [
      `git merge ${shellWord(cleanLine(branch ?? path))}`,
      `land it, with ${cleanLine(run.target ?? "the target")} checked out`,
    ],
  ];
  const { colors } = terminal;
  return [
    ...wrapLines(terminal, what, "  ").map((line) => colors.yellow(line)),
    ...viewCommands(terminal, commands),
    ...wrapLines(terminal, "a grimoire that ends with a step of type: merge lands its work itself", "  ").map((line) =>
      colors.dim(line),
    ),
  ];
}
