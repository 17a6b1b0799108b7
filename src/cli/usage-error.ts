import type { Command, CommanderError } from "commander";
import { ClewError } from "../contract/errors.ts";
import { findCommand, pathOf } from "./find-command.ts";
import { unknownCommand } from "./unknown-command.ts";

/** What was wrong with a command line, and what to type instead. `complaint` is what the parser would have printed. */
export function usageError(error: CommanderError, complaint: string, program: Command, argv: string[]): ClewError {
  const { command, rest } = findCommand(program, argv);
  const [first = "", ...more] = (complaint || error.message)
    .replace(/^error: /, "")
    .trim()
    .split("\n");
  if (error.code === "commander.help") {
    return new ClewError("usage", "a command is missing", `${pathOf(command)} --help lists the commands`);
  }
  if (error.code === "commander.unknownCommand") {
    const word = /'([^']*)'/.exec(first)?.[1] ?? rest[0] ?? "";
    return unknownCommand(word, command);
  }
  if (error.code === "commander.excessArguments") return tooManyWords(command);
  const suggestion = /\(Did you mean ([^()]+)\?\)/.exec(more.join(" "))?.[1];
  const hint =
    suggestion === undefined
      ? `${pathOf(command)} --help shows the form and an example`
      : `did you mean ${suggestion}?`;
  return new ClewError("usage", first, hint);
}

/** Arguments that are texts of a person, who forgets to quote them. */
const texts = ["title", "text", "words", "name"];

function tooManyWords(command: Command): ClewError {
  const path = pathOf(command);
  const { args, registeredArguments: wanted } = command;
  const last = wanted.at(-1)?.name() ?? "";
  const form = wanted.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`)).join(" ");
  const message = `too many words for ${path}, which takes ${form === "" ? "none" : form}`;
  if (!texts.includes(last)) return new ClewError("usage", message, `${path} --help shows the form and an example`);
  const before = args.slice(0, wanted.length - 1);
  const text = quoted(args.slice(wanted.length - 1).join(" "));
  return new ClewError("usage", message, `quote the ${last}: ${[path, ...before, text].join(" ")}`);
}

/** For a shell. */
function quoted(text: string): string {
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`;
}
