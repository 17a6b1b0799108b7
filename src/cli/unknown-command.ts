import type { Command } from "commander";
import { ClewError } from "../contract/errors.ts";
import { nearest } from "../text/nearest.ts";
import { pathOf } from "./find-command.ts";

/** Names that other programs have for what these commands do. */
const otherNames: Record<string, string[]> = {
  accept: ["approve"],
  add: ["create", "start"],
  begin: ["start"],
  cat: ["show"],
  continue: ["resume"],
  edit: ["update", "rename", "set"],
  finish: ["end", "close"],
  get: ["show"],
  info: ["show"],
  list: ["show"],
  kill: ["cancel"],
  land: ["approve"],
  logs: ["log"],
  ls: ["list"],
  make: ["create"],
  merge: ["approve"],
  new: ["create", "start"],
  remove: ["delete", "prune"],
  rm: ["delete", "prune"],
  start: ["run"],
  stop: ["cancel", "pause"],
  view: ["show"],
};

/** What to do instead, where that is no one command. */
const otherWays: Record<string, string> = {
  "clew daemon logs": "clew daemon status names the file of its log",
  "clew daemon log": "clew daemon status names the file of its log",
  "clew plan": "did you mean clew session plan?",
  "clew turns": "did you mean clew session turns?",
  "clew daemon uninstall": "clew daemon install --remove does that",
};

/** The command that a word most likely meant; undefined when none is near. */
export function nearestCommand(word: string, names: readonly string[]): string | undefined {
  const others = Object.hasOwn(otherNames, word) ? otherNames[word]! : [];
  return others.find((each) => names.includes(each)) ?? nearest(word, names);
}

/** For a word that is none of the commands below this one. */
export function unknownCommand(word: string, command: Command): ClewError {
  const names = command.commands.map((each) => each.name());
  const suggestion = nearestCommand(word, names);
  const way = otherWays[`${pathOf(command)} ${word}`];
  if (way !== undefined) return new ClewError("usage", `unknown command '${word}'`, way);
  const hint =
    suggestion === undefined ? `${pathOf(command)} --help lists the commands` : `did you mean ${suggestion}?`;
  return new ClewError("usage", `unknown command '${word}'`, hint);
}
