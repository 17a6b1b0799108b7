import type { Place } from "../../../contract/problem.ts";
import type { Plain } from "../value.ts";

/** The tree of a template. `offset` is where errors about a node point to. */
export type Node = TextNode | ActionNode | BranchNode | JumpNode | TemplateNode;
export type Operand =
  | BoolNode
  | ChainNode
  | DotNode
  | FieldNode
  | IdentifierNode
  | NilNode
  | NumberNode
  | PipeNode
  | StringNode
  | VariableNode;

export interface ListNode {
  kind: "list";
  offset: number;
  nodes: Node[];
}

export interface TextNode {
  kind: "text";
  offset: number;
  text: string;
  place: Place;
}

/** An action that prints or declares. */
export interface ActionNode {
  kind: "action";
  offset: number;
  pipe: PipeNode;
  /** Where its opening delimiter stands. */
  place: Place;
}

export interface BranchNode {
  kind: "if" | "with" | "range";
  offset: number;
  pipe: PipeNode;
  list: ListNode;
  elseList: ListNode | undefined;
}

export interface JumpNode {
  kind: "break" | "continue";
  offset: number;
}

export interface TemplateNode {
  kind: "template";
  offset: number;
  name: string;
  pipe: PipeNode | undefined;
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
  include: IncludeParts | undefined;
}

export interface IncludeParts {
  named: NamedArgument[];
  place: Place;
}

export interface NamedArgument {
  key: string;
  value: Operand;
}

export interface IdentifierNode {
  kind: "identifier";
  offset: number;
  name: string;
}

/** `$x.a.b`: the path begins with the variable's name. */
export interface VariableNode {
  kind: "variable";
  offset: number;
  start: number;
  path: string[];
}

export interface DotNode {
  kind: "dot";
  offset: number;
}

export interface NilNode {
  kind: "nil";
  offset: number;
}

/** `.a.b`. Errors point to the second field where there is one, as in Go; the whole begins at `start`. */
export interface FieldNode {
  kind: "field";
  offset: number;
  start: number;
  path: string[];
}

/** `(…).a.b` */
export interface ChainNode {
  kind: "chain";
  offset: number;
  node: Operand;
  path: string[];
}

export interface BoolNode {
  kind: "bool";
  offset: number;
  value: boolean;
}

export interface NumberNode {
  kind: "number";
  offset: number;
  text: string;
  /** Undefined when it fits no int: refused when it is used. */
  value: Plain | undefined;
}

export interface StringNode {
  kind: "string";
  offset: number;
  quoted: string;
  value: string;
}
