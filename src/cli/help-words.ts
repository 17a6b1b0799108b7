import type { Command } from "commander";
import { findCommand, pathOf } from "./find-command.ts";
import { unknownCommand } from "./unknown-command.ts";

/** `clew help run approve` becomes `clew run approve --help`. */
export function withoutLeadingHelp(argv: string[]): string[] {
  return argv[0] === "help" ? [...argv.slice(1).filter((word) => word !== "--help" && word !== "-h"), "--help"] : argv;
}

/**
 * `clew run help approve` means `clew run approve --help`. Only behind a command that has others below it: a session may
 * be titled "help". Throws a ClewError for help on a command that does not exist.
 */
export function resolveHelp(program: Command, argv: string[], isHelp: boolean): string[] {
  const { command, rest } = findCommand(program, argv);
  if (command.commands.length === 0) return argv;
  const [word, ...more] = rest;
  if (word === "help") {
    const path = [...pathOf(command).split(" ").slice(1), ...more.filter((each) => each !== "--help")];
    return resolveHelp(program, [...path, "--help"], true);
  }
  if (isHelp && word !== undefined && !word.startsWith("-")) throw unknownCommand(word, command);
  return argv;
}
