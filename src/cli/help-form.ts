import type { Command, HelpConfiguration, Option } from "commander";
import { wrap } from "./terminal/wrap.ts";

/** Replaces the parser's wording for options and commands in help. */
export const helpForm: HelpConfiguration = {
  optionDescription: aboutOption,
  subcommandDescription: (command) =>
    isImplicitHelp(command) ? "help for one of these" : command.summary() || command.description(),
};

/** The parser adds this command below every command that has subcommands. */
function isImplicitHelp(command: Command): boolean {
  return command.name() === "help" && command.description() === "display help for command";
}

function aboutOption({ long, description, argChoices, defaultValue }: Option): string {
  if (long === "--help") return "show this help";
  const choices = argChoices?.every((each) => description.includes(each)) === false ? `: ${argChoices.join(", ")}` : "";
  const hasDefault = !description.includes("default:") && ["string", "number"].includes(typeof defaultValue);
  return `${description}${choices}${hasDefault && defaultValue !== "" ? ` (default: ${String(defaultValue)})` : ""}`;
}

/**
 * The text of a help page within a width. What is indented stands alone in its line; other lines that follow each other are
 * one paragraph.
 */
export function fitHelp(text: string, width: number): string {
  const lines: string[] = [];
  let isProse = false;
  for (const line of text.split("\n")) {
    const continues = isProse && /^\S/.test(line);
    if (continues) lines.push(`${lines.pop()} ${line}`);
    else lines.push(line);
    isProse = /^\S/.test(line) && !/^(?:Usage: |[A-Z][a-z]+:$)/.test(line);
  }
  return lines.flatMap((line) => wrap(line, width)).join("\n");
}
