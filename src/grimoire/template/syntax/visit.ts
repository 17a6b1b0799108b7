import type { CommandNode, ListNode, Operand, PipeNode } from "./nodes.ts";

/** Every command in a tree, outer ones before those inside them. */
export function* commandsOf(list: ListNode): Generator<CommandNode> {
  for (const node of list.nodes) {
    if (node.kind === "action") yield* commandsOfPipe(node.pipe);
    if (node.kind === "template" && node.pipe) yield* commandsOfPipe(node.pipe);
    if (node.kind !== "if" && node.kind !== "with" && node.kind !== "range") continue;
    yield* commandsOfPipe(node.pipe);
    yield* commandsOf(node.list);
    if (node.elseList) yield* commandsOf(node.elseList);
  }
}

function* commandsOfPipe(pipe: PipeNode): Generator<CommandNode> {
  for (const command of pipe.commands) {
    yield command;
    const namedValues = command.include?.namedArgs.map(({ value }) => value) ?? [];
    for (const operand of [command.first, ...command.args, ...namedValues]) yield* commandsOfOperand(operand);
  }
}

function* commandsOfOperand(operand: Operand): Generator<CommandNode> {
  if (operand.kind === "pipe") yield* commandsOfPipe(operand);
  if (operand.kind === "chain") yield* commandsOfOperand(operand.node);
}
