import type { CommandNode, Operand, PipeNode } from "./nodes.ts";

/** An expression as its source text, with single spaces. */
function pipeText(pipe: PipeNode): string {
  const variables = pipe.variables.length > 0 ? `${pipe.variables.join(", ")} ${pipe.isAssign ? "=" : ":="} ` : "";
  return variables + commandsText(pipe.commands);
}

export function commandsText(commands: readonly CommandNode[]): string {
  return commands.map(commandText).join(" | ");
}

export function commandText({ first, args, include }: CommandNode): string {
  const namedArgs = include?.namedArgs.map(({ key, value }) => `${key}=${operandText(value)}`) ?? [];
  return [...[first, ...args].map(operandText), ...namedArgs].join(" ");
}

function operandText(node: Operand): string {
  switch (node.kind) {
    case "pipe":
      return `(${pipeText(node)})`;
    case "chain":
      return `${operandText(node.node)}.${node.path.join(".")}`;
    case "field":
      return `.${node.path.join(".")}`;
    case "variable":
      return node.path.join(".");
    case "identifier":
      return node.name;
    case "number":
      return node.text;
    case "string":
      return node.quoted;
    case "bool":
      return String(node.value);
    case "dot":
      return ".";
    case "nil":
      return "nil";
  }
}
