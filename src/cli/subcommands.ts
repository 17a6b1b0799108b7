import type { Command } from "commander";
import type { CliContext } from "./context.ts";

/** The subcommands that one file defines. */
export interface CommandGroup {
  names: string[];
  load: () => Promise<(parent: Command, context: CliContext) => void>;
}

/** Defines the subcommand that is called, or all of them for help and completion. */
export async function addSubcommands(
  parent: Command,
  context: CliContext,
  groups: CommandGroup[],
  calledName = "",
): Promise<Command> {
  const group = groups.find(({ names }) => names.includes(calledName));
  for (const { load } of group ? [group] : groups) (await load())(parent, context);
  return parent;
}
