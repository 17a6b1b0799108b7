import { existsSync } from "node:fs";
import { relative, sep } from "node:path";
import type { Api } from "../../../contract/api/api.ts";
import type { RunDetails } from "../../../contract/api/run.ts";
import { dependenciesOf, isBlocking, beadStatusOf, type Bead } from "../../../contract/bead.ts";
import type { CliContext } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { listFirst } from "../../../text/list-first.ts";
import { wrapLines } from "../../terminal/wrap.ts";
import { viewUnlanded } from "./unlanded.ts";

/** What a completed run changed: what landed, its bead, its worktree, and what can begin now. One fact a line. */
export async function viewAfterRun(
  { api, terminal }: Pick<CliContext, "api" | "terminal">,
  run: RunDetails,
  worktree: string | null,
): Promise<string> {
  if (run.status !== "completed") return "";
  const mergeSummary = run.steps.findLast(({ kind, status }) => kind === "merge" && status === "succeeded")?.summary;
  const facts = [
    ...(mergeSummary === undefined ? [] : [cleanLine(mergeSummary)]),
    ...(mergeSummary === "nothing to merge"
      ? [`it changed no file; if that is not right: clew bead reopen ${cleanLine(run.bead_id)}`]
      : []),
    ...(await beadFacts(api, run.bead_id)),
    ...(worktree !== null && !existsSync(worktree)
      ? [`its worktree is gone: ${cleanLine(relative((await api.repository.show({})).root, worktree))}`]
      : []),
  ];
  const lines = [
    ...(await viewUnlanded({ api, terminal }, run)),
    ...facts.flatMap((fact) => wrapLines(terminal, fact, "  ")),
  ];
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

/** Says so when the caller's working folder went with the worktree that the run has just removed. */
export async function warnOfRemovedFolder(context: CliContext, worktree: string | null): Promise<void> {
  const isWithin = worktree !== null && `${context.cwd}${sep}`.startsWith(`${worktree}${sep}`);
  if (!isWithin || existsSync(context.cwd)) return;
  const { root } = await context.api.repository.show({});
  context.output.say(cleanLine(`your shell stands in ${context.cwd}, which went with the worktree: cd ${root}`));
}

async function beadFacts(api: Api, beadId: string): Promise<string[]> {
  const { beads: all } = await api.beads.list({ all: true });
  const bead = all.find(({ id }) => id === beadId);
  if (!bead || beadStatusOf(bead) !== "closed") return [];
  const next = (await api.beads.ready({})).beads.filter((each) => waitedFor(each, beadId));
  const names = next.map(({ id, title }) => cleanLine(`${id} (${title})`));
  return [`bead ${cleanLine(beadId)} is closed`, ...(next.length === 0 ? [] : [`ready now: ${listFirst(names, 5)}`])];
}

function waitedFor(bead: Bead, other: string): boolean {
  return dependenciesOf(bead).some((each) => each.depends_on_id === other && isBlocking(each));
}
