import type { Command } from "commander";
import type { Json } from "../../../contract/grimoire.ts";
import type { CliContext, JsonOption } from "../../context.ts";
import { addLimitOptions, limitsOf, type LimitOptions } from "../../limit-options.ts";
import { readVariable } from "../../read-variable.ts";
import { driveAfterSignal } from "./drive-after-signal.ts";
import { drive } from "./drive.ts";
import { warnOfChanges } from "./warn-of-changes.ts";

type RetryOptions = JsonOption & LimitOptions & { input?: Record<string, Json>; engine?: string };

export function defineControl(run: Command, context: CliContext): void {
  const command = (name: string, about: string, example: string): Command =>
    run
      .command(name)
      .description(about)
      .argument("<id>", "the run's id, a unique prefix, its bead, or latest")
      .option("--json", "print JSON: the numbered events as lines, and the run at the end")
      .addHelpText("after", `\nExample:\n  $ clew run ${example}`);
  const findRun = async (name: string): Promise<string> => (await context.api.runs.find({ run: name })).run_id;
  const wantsJson = ({ json }: JsonOption): boolean => json ?? run.opts<JsonOption>().json ?? false;

  command("resume", "Goes on with an interrupted run; tells why one waits.", "resume latest").action(
    async (name: string, options: JsonOption) => {
      const runId = await findRun(name);
      await warnOfChanges(context, runId);
      await drive(context, { runId, from: "now", json: wantsJson(options) });
    },
  );

  addLimitOptions(
    command(
      "retry",
      "Tries a blocked step again, once it is mended.",
      'retry proj-a3f --input test_command="npm test"',
    ),
  )
    .option("--engine <name>", "the engine that works on its agent steps from here on")
    .option("--input <name=value>", "changes a variable, JSON if it parses (repeatable)", readVariable)
    .action(async (name: string, { input: inputs = {}, ...options }: RetryOptions) => {
      const runId = await findRun(name);
      await warnOfChanges(context, runId);
      // Options that `run` has itself are read by `run`, wherever they stand.
      const { engine, ...given } = { ...run.opts<RetryOptions>(), ...options };
      const { limits } = limitsOf(given);
      const chosen = { ...(limits && { limits }), ...(engine !== undefined && { engine }) };
      await context.api.runs.retry({ run: runId, modified_inputs: inputs, ...chosen });
      await driveAfterSignal(context, { runId, kind: "retry", json: wantsJson(options) });
    });

  command("approve", "Lets a merge be landed, as its diff shows it.", "approve proj-a3f")
    .option("--tree <id>", "only if this tree is still what would be merged (run show --json names it)")
    .action(async (name: string, { tree, ...options }: JsonOption & { tree?: string }) => {
      const { run_id: runId } = await context.api.runs.approve({ run: name, tree });
      await driveAfterSignal(context, { runId, kind: "approve", json: wantsJson(options) });
    });

  command("reject", "Refuses a merge: the run is blocked until it is retried.", 'reject proj-a3f -r "no tests"')
    .option("-r, --reason <text>", "why; the run's record keeps it", "")
    .action(async (name: string, { reason, ...options }: JsonOption & { reason: string }) => {
      const { run_id: runId } = await context.api.runs.reject({ run: name, reason });
      await driveAfterSignal(context, { runId, kind: "reject", json: wantsJson(options) });
    });

  command(
    "changes",
    "Asks for changes: the loop around the merge goes on with its next iteration, which sees the text.",
    'changes proj-a3f -m "Handle an empty name, too"',
  )
    .requiredOption("-m, --message <text>", "what is to be changed")
    .action(async (name: string, { message, ...options }: JsonOption & { message: string }) => {
      const { run_id: runId } = await context.api.runs.requestChanges({ run: name, text: message });
      await driveAfterSignal(context, { runId, kind: "changes", json: wantsJson(options) });
    });

  command("cancel", "Gives a run up: ends what it is doing, keeps what it did.", "cancel proj-a3f").action(
    async (name: string, options: JsonOption) => {
      const { run_id: runId } = await context.api.runs.cancel({ run: name });
      await driveAfterSignal(context, { runId, kind: "cancel", json: wantsJson(options) });
    },
  );
}
