import { Option, type Command } from "commander";
import { print, type CliContext, type JsonOption } from "../../context.ts";
import { readUntil } from "../../read-until.ts";
import { unknownCommand } from "../../unknown-command.ts";
import { cleanLine } from "../../terminal/clean.ts";
import { viewTokens } from "../../terminal/token-view.ts";

interface TokenOptions extends JsonOption {
  readOnly?: boolean;
  hooks?: boolean;
  expires?: string;
  name?: string;
}

export function defineToken(daemon: Command, context: CliContext): void {
  const token = daemon
    .command("token")
    .description(
      "Makes a token, by which a program may call the daemon as you. It is shown this once, and kept nowhere.",
    )
    .option("--read-only", "it may look, and change nothing")
    .option("--hooks", "it may tell hooks (clew hooks install --http), and nothing else")
    .addOption(
      new Option("--expires <date>", "when it ends: 30d, 12h, 2030-01-01; without it, when you revoke it").argParser(
        (text) => readUntil(text, context.terminal.nowMs()),
      ),
    )
    .option("--name <text>", "what it is for, as lists show it")
    .option("--json", "print JSON: {id, name, read_only, hooks_only, created, expires, is_expired, token}")
    .enablePositionalOptions()
    .addHelpText("after", help)
    .usage("[options] [list | revoke ID]")
    .argument("[word...]")
    .action(async (words: string[], { readOnly = false, hooks = false, expires, name, json }: TokenOptions) => {
      if (words[0] !== undefined) throw unknownCommand(words[0], token);
      const made = await context.api.daemon.createToken({ name, read_only: readOnly, hooks_only: hooks, expires });
      if (json) return context.output.writeJson(made);
      await context.output.write(`${made.token}\n`);
      if (context.input.interactive)
        context.output.say(`Shown this once. clew daemon token revoke ${made.id} takes it back.`);
    });
  // The command around them takes the option, too, and may get it in their place.
  const wantsJson = (json: boolean | undefined): boolean => json ?? token.opts<JsonOption>().json ?? false;
  token
    .command("list")
    .description(
      "Lists the tokens that were made and not revoked, oldest first. The tokens themselves are kept nowhere.",
    )
    .option("--json", "print JSON: {tokens}")
    .addHelpText("after", "\nExample:\n  $ clew daemon token list")
    .action(async ({ json }: JsonOption) => {
      const list = await context.api.daemon.listTokens({});
      await print(context.output, wantsJson(json), list, () => viewTokens(context.terminal, list.tokens));
    });
  token
    .command("revoke")
    .description("Revokes a token: it counts no more from now on.")
    .argument("<id>", "as clew daemon token list shows it")
    .option("--json", "print JSON: {id, revoked}")
    .addHelpText("after", "\nExample:\n  $ clew daemon token revoke k7mqa2xw4p")
    .action(async (id: string, { json }: JsonOption) => {
      const result = await context.api.daemon.revokeToken({ id });
      await print(context.output, wantsJson(json), result, () => `Revoked ${cleanLine(result.id)}`);
    });
}

const help = `
Who has a token can do over HTTP what you can: approve, answer, retry and cancel, make beads that the daemon takes up, unless it is
read-only. It starts no run by itself: clew run does, in its own terminal. Only its hash is kept, in the repository's git folder. What an agent or a step started gets none.

Examples:
  $ clew daemon token --name laptop --expires 30d
  $ TOKEN=$(clew daemon token --read-only --expires 1h)`;
