import { Command } from "commander";
import type { Api } from "../../contract/api/api.ts";
import type { Finding } from "../../contract/api/doctor.ts";
import { ClewError } from "../../contract/errors.ts";
import { print, type CliContext, type JsonOption, type Screen } from "../context.ts";
import { padTo } from "../terminal/width.ts";
import { cleanLine } from "../terminal/clean.ts";
import { wrapLines } from "../terminal/wrap.ts";

export function define(context: CliContext): Command {
  return new Command("doctor")
    .description(
      "Checks Node, git, rights, locks, sessions, index, runs and what they left. Exits 1 when something is wrong.",
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

function viewFinding(screen: Screen, { check, status, message, hint }: Finding): string {
  const { colors } = screen;
  const marks = {
    ok: colors.green("✓"),
    repaired: colors.green("✓ repaired:"),
    warning: colors.yellow("!"),
    problem: colors.red("✗"),
  };
  const [first, ...more] = wrapLines(screen, cleanLine(message), " ".repeat(22));
  const hintLines =
    hint === undefined ? [] : wrapLines(screen, cleanLine(hint), "    ").map((each) => colors.dim(each));
  return [`${marks[status]} ${padTo(check, 19)} ${first!.trimStart()}`, ...more, ...hintLines].join("\n");
}
