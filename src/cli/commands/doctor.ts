import { Command } from "commander";
import type { Api } from "../../contract/api/api.ts";
import type { Finding } from "../../contract/api/doctor.ts";
import { ClewError } from "../../contract/errors.ts";
import { print, type CliContext, type JsonOption } from "../context.ts";
import { viewFinding } from "../terminal/finding-view.ts";

export function define(context: CliContext): Command {
  return new Command("doctor")
    .description(
      "Checks Node, git, rights, locks, sessions, index, the engine, runs and what they left. Exits 1 when something is wrong.",
    )
    .option("--repair", "mend what can be mended, and say what was done")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  $ clew doctor --repair")
    .action(async ({ repair = false, json }: JsonOption & { repair?: boolean }) => {
      const findings = await examine(context.api, repair);
      await print(context.output, json, { findings }, () =>
        findings.map((each) => viewFinding(context.terminal, each)).join("\n"),
      );
      if (findings.some(({ status }) => status === "problem")) context.exitCode = 1;
    });
}

/** Where the settings cannot be read, nothing else can be examined: that is the one finding. */
async function examine(api: Api, repair: boolean): Promise<Finding[]> {
  try {
    return (await api.doctor.examine({ repair })).findings;
  } catch (error) {
    if (!(error instanceof ClewError && error.code === "invalid_config")) throw error;
    return [{ check: "settings", status: "problem", message: error.message, hint: error.hint }];
  }
}
