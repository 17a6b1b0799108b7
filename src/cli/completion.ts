import type { Command } from "commander";
import { completionScripts } from "./completion-scripts.ts";
import type { CliContext } from "./context.ts";
import { cleanLine } from "./terminal/clean.ts";

/** Adds `completion SHELL`, which prints a script, and the hidden `complete` that the script calls at each Tab. */
export async function mountCompletion(program: Command, context: CliContext): Promise<void> {
  const { default: tab } = await import("@bomb.sh/tab/commander");
  const ids = await recentIds(context);
  const root = tab(program, { completionCommandName: "completion" });
  program.commands
    .find((command) => command.name() === "completion")
    ?.description("Prints a script that completes clew's commands, options and sessions at Tab.")
    .action(async (shell: string) => {
      const script = completionScripts[shell];
      if (script === undefined) root.setup("clew", "clew", shell);
      else await context.output.write(script);
    })
    .addHelpText("after", helpText);
  for (const [path, command] of root.commands) {
    if (path.startsWith("session ") && command.arguments.has("id")) {
      command.argument("id", (complete) => ids.forEach(([id, title]) => complete(id, title)));
    }
  }
}

const helpText = `
Examples, each for the file that the shell reads when it starts:
  $ clew completion bash >> ~/.bashrc
  $ clew completion zsh >> ~/.zshrc
  $ clew completion fish > ~/.config/fish/completions/clew.fish
  $ clew completion powershell >> $PROFILE`;

/** Outside a repository there are no ids, and Tab must not print an error. */
async function recentIds(context: CliContext): Promise<[id: string, title: string][]> {
  try {
    const { sessions } = await context.api.sessions.names({ limit: 50 });
    return sessions.map(({ session_id, title }) => [cleanLine(session_id), cleanLine(title)]);
  } catch {
    return [];
  }
}
