import type { Command } from "commander";
import { ClewError } from "../contract/errors.ts";
import { nearest } from "../contract/suggest.ts";

/** For commands that do something by themselves and have subcommands too: a word that is none of them. */
export function unknownCommand(word: string, command: Command): ClewError {
  const names = command.commands.map((each) => each.name());
  const meant = nearest(word, names);
  const hint = meant === undefined ? `there are ${names.join(", ")}` : `did you mean ${meant}?`;
  return new ClewError("usage", `unknown command '${word}'`, hint);
}
