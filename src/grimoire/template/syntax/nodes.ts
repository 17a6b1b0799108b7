import type { Place } from "../../../contract/problem.ts";
import type { Plain } from "../value.ts";

/** The tree of a template. `offset` is where errors about a node point to. */
export type Node = TextNode | ActionNode | BranchNode | JumpNode | TemplateNode;
export type ListNode = { kind: "list"; offset: number; nodes: Node[] };
type TextNode = { kind: "text"; offset: number; text: string; place: Place };
/** An action that prints or declares. Its opening delimiter stands at `place`. */
export type ActionNode = { kind: "action"; offset: number; pipe: PipeNode; place: Place };
type JumpNode = { kind: "break" | "continue"; offset: number };
export type TemplateNode = { kind: "template"; offset: number; name: string; pipe: PipeNode | undefined };

export interface BranchNode {
  kind: "if" | "with" | "range";
  offset: number;
  pipe: PipeNode;
  list: ListNode;
  elseList: ListNode | undefined;
}

export interface PipeNode {
  kind: "pipe";
  offset: number;
  /** The variables get new values; they are not declared. */
  isAssign: boolean;
  /** Names of variables, with their dollar sign. */
  variables: string[];
  commands: CommandNode[];
}

export interface CommandNode {
  kind: "command";
  offset: number;
  /** The function, or the value itself. */
  first: Operand;
  args: Operand[];
  /** Only of `include`: the arguments that have names, and the place of the call. */
  include: { namedArgs: { key: string; value: Operand }[]; place: Place } | undefined;
}

/** What can stand in a command: a value by itself, or a pipeline in parentheses. */
export type Operand = ConstantNode | FieldNode | VariableNode | ChainNode | IdentifierNode | PipeNode;

type ConstantNode =
  | { kind: "dot" | "nil"; offset: number }
  | { kind: "bool"; offset: number; value: boolean }
  /** `value` is undefined when it fits no int: the number is refused when it is used. */
  | { kind: "number"; offset: number; text: string; value: Plain | undefined }
  | { kind: "string"; offset: number; quoted: string; value: string };

/** `.a.b`. Errors point to the second field where there is one, as in Go; the whole begins at `start`. */
type FieldNode = { kind: "field"; offset: number; start: number; path: string[] };
/** `$x.a.b`: the path begins with the variable's name. */
export type VariableNode = { kind: "variable"; offset: number; start: number; path: string[] };
/** `(…).a.b` */
export type ChainNode = { kind: "chain"; offset: number; node: Operand; path: string[] };
export type IdentifierNode = { kind: "identifier"; offset: number; name: string };
