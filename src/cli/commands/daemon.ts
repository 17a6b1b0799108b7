import { Command } from "commander";
import type { CliContext } from "../context.ts";
import { defineControl } from "./daemon/control.ts";
import { defineInstall } from "./daemon/install.ts";
import { defineRun } from "./daemon/run.ts";
import { defineToken } from "./daemon/token.ts";

export function define(context: CliContext): Command {
  const daemon = new Command("daemon")
    .description(
      "The daemon of this repository: works on ready beads by itself, goes on with what a crash interrupted, and serves other programs.",
    )
    .addHelpText("after", "\nExamples:\n  $ clew daemon start\n  $ clew daemon status\n  $ clew daemon run --once");
  defineControl(daemon, context);
  defineRun(daemon, context);
  defineInstall(daemon, context);
  defineToken(daemon, context);
  return daemon;
}
