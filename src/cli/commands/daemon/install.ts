import type { Command } from "commander";
import { ClewError } from "../../../contract/errors.ts";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { viewService } from "../../terminal/daemon-status-view.ts";
import { portOption, type PortOption } from "./port-option.ts";

export function defineInstall(daemon: Command, context: CliContext): void {
  daemon
    .command("install")
    .description("Has the system start the daemon of this repository whenever you log in: by systemd or launchd.")
    .option("--remove", "no longer; a daemon that runs goes on until clew daemon stop")
    .addOption(portOption())
    .option("--json", "print JSON: {service}; null after --remove")
    .addHelpText("after", help)
    .action(async ({ remove = false, port, json }: JsonOption & PortOption & { remove?: boolean }) => {
      if (remove && port !== undefined)
        throw new ClewError("usage", "--remove takes no --port", "leave one of them out");
      const result = await context.api.daemon.install({ remove, port });
      await print(context.output, json, result, () => viewService(result.service));
    });
}

const help = `
The file that it writes names this very program and Node, and the PATH of this shell, in which agents are found: after
an update of Node, call it again. No other variable goes into it, so that no secret does. It comes back when it crashes.

Examples:
  $ clew daemon install
  $ clew daemon install --remove`;
