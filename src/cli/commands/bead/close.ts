import type { Command } from "commander";
import type { Bead } from "../../../contract/bead.ts";
import { print, type CliContext, type JsonOption, type Output } from "../../context.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { confirmStatus } from "./confirm-status.ts";

interface StatusOptions extends JsonOption {
  reason?: string;
  yes?: boolean;
}

export function defineClose(bead: Command, context: CliContext): void {
  bead
    .command("close")
    .description("Closes beads. With --json prints {bead}, or {beads} for several.")
    .argument("<id...>", "the beads")
    .option("-r, --reason <text>", "why, or how it came out")
    .option("-y, --yes", "do not ask when a run of the bead is not over")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
A bead whose run is not over is asked about; without a terminal it is refused unless --yes is given. The run stays.

Example:
  $ clew bead close a3f -r "Fixed with a test"`,
    )
    .action(async (names: string[], { reason, yes, json }: StatusOptions) => {
      const ids = await confirmIds(context, names, "closed", yes);
      const results: StatusChange[] = [];
      for (const [id, despite_run] of ids)
        results.push(await context.api.beads.close({ bead: id, reason, despite_run }));
      await printChanges(context.output, json, names, results, (id, changed) =>
        changed ? `Closed ${id}` : `${id} is already closed`,
      );
    });

  bead
    .command("reopen")
    .description("Takes closed beads up again: they are open. With --json prints {bead}, or {beads} for several.")
    .argument("<id...>", "the beads")
    .option("-y, --yes", "do not ask when a run of the bead is not over")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew bead reopen a3f")
    .action(async (names: string[], { yes, json }: StatusOptions) => {
      const ids = await confirmIds(context, names, "open", yes);
      const results: StatusChange[] = [];
      for (const [id, despite_run] of ids) results.push(await context.api.beads.reopen({ bead: id, despite_run }));
      await printChanges(context.output, json, names, results, (id, changed) =>
        changed ? `Reopened ${id}` : `${id} is open already`,
      );
    });
}

interface StatusChange {
  bead: Bead;
  changed: boolean;
}

/**
 * The ids of the beads, each once, and whether each is changed despite its run. Throws before anything is changed when a name is
 * wrong or a run is not over: half of the beads must not be left changed.
 */
async function confirmIds(
  context: CliContext,
  names: string[],
  status: string,
  yes = false,
): Promise<Map<string, boolean>> {
  const ids = new Set<string>();
  const despiteRuns = new Map<string, boolean>();
  for (const name of names) ids.add((await context.api.beads.find({ bead: name })).id);
  for (const id of ids) despiteRuns.set(id, await confirmStatus(context, id, { status, yes }));
  return despiteRuns;
}

async function printChanges(
  output: Output,
  json: boolean | undefined,
  names: string[],
  results: StatusChange[],
  text: (id: string, changed: boolean) => string,
): Promise<void> {
  const document = names.length === 1 ? results[0]! : { beads: results.map(({ bead }) => bead) };
  await print(output, json, document, () =>
    results.map(({ bead, changed }) => text(cleanLine(bead.id), changed)).join("\n"),
  );
}
