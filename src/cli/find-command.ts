import type { Command } from "commander";

/** The command that the words lead to, as far as they name one, and the words that are left. */
export function findCommand(program: Command, words: string[]): { command: Command; rest: string[] } {
  const [word, ...rest] = words;
  const next = program.commands.find((each) => each.name() === word || each.aliases().includes(word ?? ""));
  return next ? findCommand(next, rest) : { command: program, rest: words };
}

/** As a person types it: `clew bead create`. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
