import type { Command, CommanderError } from "commander";
import { ClewError } from "../contract/errors.ts";
import { nearest } from "../text/nearest.ts";
import { singleQuoted } from "../text/shell-word.ts";
import { findCommand, pathOf } from "./find-command.ts";
import { unknownCommand } from "./unknown-command.ts";

/** What was wrong with a command line, and what to type instead. `complaint` is what the parser would have printed. */
export function usageError(error: CommanderError, complaint: string, program: Command, argv: string[]): ClewError {
  const { command, rest } = findCommand(program, argv);
  const text = (complaint || error.message).replace(/^error: /, "").trim();
  const [first = "", ...more] = text.split("\n");
  if (error.code === "commander.help") {
    return new ClewError("usage", "a command is missing", `${pathOf(command)} --help lists the commands`);
  }
  if (error.code === "commander.unknownCommand") {
    const word = /'([^']*)'/.exec(first)?.[1] ?? rest[0] ?? "";
    return unknownCommand(word, command);
  }
  if (error.code === "commander.excessArguments") return excessArguments(command);
  if (error.code === "commander.unknownOption") return unknownOption(first, more.join(" "), command);
  if (error.code === "commander.invalidArgument") return invalidValue(text, command);
  return new ClewError("usage", describeMissing(error.code, first, command) ?? first, formOf(command));
}

function formOf(command: Command): string {
  return `${pathOf(command)} --help shows the form and an example`;
}

function unknownOption(first: string, more: string, command: Command): ClewError {
  const suggestion = /\(Did you mean ([^()]+)\?\)/.exec(more)?.[1];
  const hint = suggestion === undefined ? `${pathOf(command)} --help lists its options` : `did you mean ${suggestion}?`;
  return new ClewError("usage", first, hint);
}

/** Names the argument, option or value that is missing. Undefined for any other complaint. */
function describeMissing(code: string, complaint: string, command: Command): string | undefined {
  const name = /'([^']*)'/.exec(complaint)?.[1] ?? "";
  const option = command.options.find(({ flags }) => flags === name);
  switch (code) {
    case "commander.missingArgument": {
      const about = command.registeredArguments.find((each) => each.name() === name)?.description;
      return `${pathOf(command)} needs <${name}>${about ? `: ${about}` : ""}`;
    }
    case "commander.missingMandatoryOptionValue":
      return `${pathOf(command)} needs ${longFlag(name)}${option ? `: ${option.description}` : ""}`;
    case "commander.optionMissingArgument":
      return `${longFlag(name)} needs a value${option ? `: ${option.description}` : ""}`;
    default:
      return undefined;
  }
}

/** `--limit <n>` of `-n, --limit <n>`. */
function longFlag(flags: string): string {
  return flags.slice(Math.max(0, flags.indexOf("--")));
}

/** A value that an option or a word cannot have: which one, what it must be, what was given. */
function invalidValue(complaint: string, command: Command): ClewError {
  const ofOption = /^option '([^']*)' argument '([\s\S]*)' is invalid\. ([\s\S]*)$/.exec(complaint);
  const ofWord = /^command-argument value '([\s\S]*)' is invalid for argument '([^']*)'\. ([\s\S]*)$/.exec(complaint);
  const [what, value, why] = ofOption
    ? [longFlag(ofOption[1]!).split(" ")[0]!, ofOption[2]!, ofOption[3]!]
    : [`<${ofWord?.[2] ?? ""}>`, ofWord?.[1] ?? "", ofWord?.[3] ?? complaint];
  const words = why
    .replace(/^Allowed choices are /, "must be one of ")
    .replace(/^It /, "")
    .replace(/^Every /, "every ")
    .replace(/\.$/, "");
  const actual = words.startsWith("must ") ? `, not ${JSON.stringify(value)}` : "";
  const choices = /^must be one of (.*)$/.exec(words)?.[1]?.split(", ") ?? [];
  const meant =
    nearest(value, choices) ?? choices.find((choice) => value.length > 3 && choice.startsWith(value.slice(0, 4)));
  const hint = meant === undefined ? formOf(command) : `did you mean ${meant}?`;
  return new ClewError("usage", `${what}: ${words}${actual}`, hint);
}

/** Arguments that are prose, which people forget to quote. */
const textArguments = ["title", "text", "words", "name"];

function excessArguments(command: Command): ClewError {
  const path = pathOf(command);
  const { args, registeredArguments: parameters } = command;
  const last = parameters.at(-1)?.name() ?? "";
  const form = parameters.map((each) => (each.required ? `<${each.name()}>` : `[${each.name()}]`)).join(" ");
  const message = `too many words for ${path}, which takes ${form === "" ? "none" : form}`;
  if (!textArguments.includes(last)) return new ClewError("usage", message, formOf(command));
  const firstArguments = args.slice(0, parameters.length - 1);
  const text = shellQuote(args.slice(parameters.length - 1).join(" "));
  return new ClewError("usage", message, `quote the ${last}: ${[path, ...firstArguments, text].join(" ")}`);
}

function shellQuote(text: string): string {
  return /["$`\\!]/.test(text) ? singleQuoted(text) : `"${text}"`;
}
