import type { SyntaxNode } from "unbash";
import { parseShell } from "./parse-shell.ts";
import { readCommand, type SimpleCommand } from "./read-command.ts";

/** Why a text is not one simple command. */
export type NoSimpleCommand =
  | "empty"
  | "list"
  | "pipe"
  | "background"
  | "negation"
  | "compound"
  | "substitution"
  | "unreadable";

const substitutions = new Set<string>(["CommandExpansion", "ProcessSubstitution", "ArithmeticCommandExpansion"]);

/**
 * The one simple command that a text is, as it is written: nothing is unwrapped, and `env x` is a command `env`. What runs another
 * command beside it, or changes what its exit code means, is none. Never throws.
 */
export function simpleCommandOf(text: string): SimpleCommand | { problem: NoSimpleCommand } {
  const script = parseShell(text);
  if (!script) return { problem: "unreadable" };
  const [statement, ...others] = script.root.commands;
  if (!statement) return { problem: "empty" };
  if (others.length > 0) return { problem: "list" };
  if (statement.background) return { problem: "background" };
  const { command } = statement;
  if (command.type !== "Command") return { problem: problemOf(command) };
  if (script.nodes.some(({ type }) => substitutions.has(type))) return { problem: "substitution" };
  return readCommand(command);
}

function problemOf(command: SyntaxNode): NoSimpleCommand {
  if (command.type === "AndOr") return "list";
  if (command.type !== "Pipeline") return "compound";
  if (command.commands.length > 1) return "pipe";
  return command.prefixes.some(({ type }) => type === "Negation") ? "negation" : "compound";
}
