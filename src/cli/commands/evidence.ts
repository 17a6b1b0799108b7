import { Command } from "commander";
import { print, type CliContext, type JsonOption } from "../context.ts";
import { afterOption, limitOption, pageText, type PageOptions } from "../paging.ts";
import { viewEvidence, viewEvidenceList } from "../terminal/evidence-view.ts";

interface ListOptions extends JsonOption, PageOptions {
  run?: string;
  session?: string;
  step?: string;
  tree?: string;
}

export function define(context: CliContext): Command {
  const evidence = new Command("evidence")
    .description("What Clew saw agents do: each call of a tool, how it ended, and on which tree.")
    .addHelpText(
      "after",
      `\n${about}\n\nExamples:\n  $ clew evidence list --run proj-a3f\n  $ clew evidence show 2026-11-18-proj-a3f/4`,
    );
  evidence
    .command("list")
    .description("Lists the observed calls, those of the newest run or session first.")
    .option("--run <id>", "only of this run: its id, or its bead's")
    .option("-s, --session <id>", "only of this session: of a run, of clew work or of a talk")
    .option("--step <name>", "only of this step, or of one attempt at it: implement#2")
    .option("--tree <id>", "only what ran on this very tree: its git id, or how it begins")
    .addOption(limitOption())
    .addOption(afterOption())
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew evidence list --run proj-a3f --step implement")
    .action(async ({ json, ...wanted }: ListOptions) => {
      const list = await context.api.evidence.list(wanted);
      await print(context.output, json, list, () =>
        pageText(context.terminal, { count: list.evidence.length, after: wanted.after, next: list.next }, () =>
          viewEvidenceList(context.terminal, list.evidence),
        ),
      );
    });
  evidence
    .command("show")
    .description("Shows one observed call: what ran, where, how it ended, who saw it, and whether it can count.")
    .argument("<id>", "as clew evidence list shows it")
    .option("--json", "print JSON: {evidence}")
    .addHelpText("after", "\nExample:\n  $ clew evidence show 2026-11-18-proj-a3f/4")
    .action(async (id: string, { json }: JsonOption) => {
      const answer = await context.api.evidence.show({ evidence: id });
      await print(context.output, json, answer, () => viewEvidence(context.terminal, answer.evidence));
    });
  return evidence;
}

const about = `An agent's word is a claim. What its engine's stream and its hooks tell of a call, both of the same call, is evidence; what a
step requires is checked against it before the run goes on (docs/formats/grimoire.md: requires).`;
