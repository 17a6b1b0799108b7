import type { SyntaxNode } from "unbash";
import { readRedirection, type ShellRedirection } from "./read-command.ts";
import type { Input } from "./started.ts";
import { isKnown } from "./words.ts";

/** What the commands of a script read, by where they stand: behind a pipe, or in a group, a loop or a subshell that is given something. */
export function inputsIn(
  nodes: readonly SyntaxNode[],
): (command: SyntaxNode, own: readonly ShellRedirection[]) => Input {
  const given = nodes.flatMap((node) => inputsGivenBy(node));
  return (command, own) => {
    const around = given.filter(({ pos, end }) => pos <= command.pos && command.end <= end);
    return together([readBy(own), ...around.map(({ input }) => input)]);
  };
}

interface GivenInput {
  /** Where the commands stand that are given it. */
  pos: number;
  end: number;
  input: Input;
}

const unknownInput: Input = { texts: [], isUnknown: true };

function inputsGivenBy(node: SyntaxNode): GivenInput[] {
  if (node.type === "Pipeline") {
    return node.commands.slice(1).map(({ pos, end }) => ({ pos, end, input: unknownInput }));
  }
  if (node.type === "Coproc") return [{ pos: node.pos, end: node.end, input: unknownInput }];
  if (node.type !== "Redirected") return [];
  return [{ pos: node.pos, end: node.end, input: readBy(node.redirects.map(readRedirection)) }];
}

function readBy(redirections: readonly ShellRedirection[]): Input {
  const inputs = redirections.filter(({ operator }) => operator.startsWith("<"));
  const texts = inputs.flatMap(({ operator, target }) => (operator.startsWith("<<") ? [target] : []));
  const isFile = inputs.length > texts.length;
  return { texts: texts.filter(isKnown), isUnknown: isFile || !texts.every(isKnown) };
}

function together(inputs: readonly Input[]): Input {
  return { texts: inputs.flatMap(({ texts }) => texts), isUnknown: inputs.some(({ isUnknown }) => isUnknown) };
}
