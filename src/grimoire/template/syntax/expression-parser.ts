import { signatures } from "../functions/signatures.ts";
import type { Cursor } from "./cursor.ts";
import type { CommandNode, Operand, PipeNode } from "./nodes.ts";
import { numberConstant } from "./number-constant.ts";
import type { Token, TokenKind } from "./token.ts";
import { unquote } from "./unquote.ts";

const operandStarts: ReadonlySet<TokenKind> = new Set<TokenKind>([
  "bool",
  "char-constant",
  "complex",
  "dot",
  "field",
  "identifier",
  "number",
  "nil",
  "raw-string",
  "string",
  "variable",
  "left-paren",
]);

const constants: ReadonlySet<Operand["kind"]> = new Set<Operand["kind"]>(["bool", "dot", "nil", "number", "string"]);

/** Parses pipelines, and knows which variables may be used. */
export class ExpressionParser {
  readonly #cursor: Cursor;
  #variables = ["$"];

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  /** Does the work, and forgets the variables that it declares. */
  withScope<T>(work: () => T): T {
    const outerCount = this.#variables.length;
    const result = work();
    this.#variables.length = outerCount;
    return result;
  }

  /** `declarations? command ('|' command)*`, up to the token that ends it. */
  pipeline(context: string, end: TokenKind): PipeNode {
    const { offset } = this.#cursor.peekNonSpace();
    const pipe: PipeNode = { kind: "pipe", offset, isAssign: false, variables: [], commands: [] };
    while (this.#declaration(pipe, context));
    for (;;) {
      const token = this.#cursor.nextNonSpace();
      if (token.kind === end) break;
      if (!operandStarts.has(token.kind)) throw this.#cursor.unexpected(token, context);
      this.#cursor.backUp();
      pipe.commands.push(this.#command());
    }
    this.#checkPipeline(pipe, context);
    return pipe;
  }

  /** Reads `$x :=`, `$x =` or, in a range, `$x,`. True when another variable may follow. */
  #declaration(pipe: PipeNode, context: string): boolean {
    const cursor = this.#cursor;
    const variable = cursor.peekNonSpace();
    if (variable.kind !== "variable") return false;
    const before = cursor.source.next;
    cursor.next();
    const next = cursor.nextNonSpace();
    const isComma = next.kind === "char" && next.text === ",";
    if (next.kind !== "assign" && next.kind !== "declare" && !isComma) {
      cursor.source.next = before;
      return false;
    }
    pipe.variables.push(variable.text);
    this.#variables.push(variable.text);
    if (!isComma) {
      pipe.isAssign = next.kind === "assign";
      return false;
    }
    if (context !== "range" || pipe.variables.length > 1) throw cursor.error(`too many declarations in ${context}`);
    if (!["variable", "right-delimiter", "right-paren"].includes(cursor.peekNonSpace().kind)) {
      throw cursor.error("range can only initialize variables");
    }
    return true;
  }

  #checkPipeline({ commands }: PipeNode, context: string): void {
    if (commands.length === 0) throw this.#cursor.error(`missing value for ${context}`);
    const index = commands.findIndex(({ first }, at) => at > 0 && constants.has(first.kind));
    if (index > 0) throw this.#cursor.error(`stage ${index + 1} of the pipeline is no function`);
  }

  /** `operand (space operand)*`, up to a pipe or the end of the pipeline. */
  #command(): CommandNode {
    const cursor = this.#cursor;
    const { offset } = cursor.peekNonSpace();
    const first = this.#operand();
    if (first === undefined) throw cursor.unexpected(cursor.next(), "operand");
    const isInclude = first.kind === "identifier" && first.name === "include";
    const include = isInclude ? { namedArgs: [], place: cursor.source.places.of(offset) } : undefined;
    const command: CommandNode = { kind: "command", offset, first, args: [], include };
    while (this.#hasNextArgument()) this.#argument(command);
    return command;
  }

  /** Whether another argument may follow. A pipe is read, the end of the pipeline is not. */
  #hasNextArgument(): boolean {
    const next = this.#cursor.next();
    if (next.kind === "space") return true;
    if (["right-delimiter", "right-paren", "right-braces"].includes(next.kind)) this.#cursor.backUp();
    else if (next.kind !== "pipe") throw this.#cursor.unexpected(next, "operand");
    return false;
  }

  #argument(command: CommandNode): void {
    if (this.#cursor.peekNonSpace().kind === "key") return this.#namedArgument(command, this.#cursor.next());
    const operand = this.#operand();
    if (operand === undefined) return;
    if (command.include && command.include.namedArgs.length > 0) {
      throw this.#cursor.error("the arguments with names must be the last ones");
    }
    command.args.push(operand);
  }

  #namedArgument({ include }: CommandNode, { text: key }: Token): void {
    const cursor = this.#cursor;
    if (include === undefined) throw cursor.error(`${key}= can only be an argument of include`);
    if (include.namedArgs.some((argument) => argument.key === key)) throw cursor.error(`${key} is given twice`);
    const value = cursor.peek().kind === "space" ? undefined : this.#operand();
    if (value === undefined) throw cursor.error(`a value must follow right after ${key}=`);
    include.namedArgs.push({ key, value });
  }

  /** A term and the fields after it. Undefined when none starts here. */
  #operand(): Operand | undefined {
    const cursor = this.#cursor;
    const node = this.#term();
    if (node === undefined || cursor.peek().kind !== "field") return node;
    const { offset } = cursor.peek();
    const path: string[] = [];
    while (cursor.peek().kind === "field") path.push(cursor.next().text.slice(1));
    if (node.kind === "field" || node.kind === "variable") return { ...node, offset, path: [...node.path, ...path] };
    if (constants.has(node.kind))
      throw cursor.error(`unexpected . after ${node.kind === "dot" ? "a dot" : "a constant"}`);
    return { kind: "chain", offset, node, path };
  }

  #term(): Operand | undefined {
    const cursor = this.#cursor;
    const token = cursor.nextNonSpace();
    const { offset, text } = token;
    switch (token.kind) {
      case "identifier":
        if (!signatures.has(text)) throw cursor.error(`function ${JSON.stringify(text)} not defined`);
        return { kind: "identifier", offset, name: text };
      case "dot":
      case "nil":
        return { kind: token.kind, offset };
      case "variable":
        if (!this.#variables.includes(text)) throw cursor.error(`undefined variable ${text}`);
        return { kind: "variable", offset, start: offset, path: [text] };
      case "field":
        return { kind: "field", offset, start: offset, path: [text.slice(1)] };
      case "bool":
        return { kind: "bool", offset, value: text === "true" };
      case "char-constant":
      case "complex":
      case "number":
        return this.#number(token, token.kind);
      case "left-paren":
        return cursor.nest(() => this.pipeline("parenthesized pipeline", "right-paren"));
      case "left-braces":
        return cursor.nest(() => this.pipeline("braces", "right-braces"));
      case "string":
      case "raw-string":
        return { kind: "string", offset, quoted: text, value: this.text(token) };
    }
    cursor.backUp();
    return undefined;
  }

  #number({ offset, text }: Token, kind: "char-constant" | "complex" | "number"): Operand {
    const constant = numberConstant(text, kind);
    if (typeof constant === "string") throw this.#cursor.error(constant);
    return { kind: "number", offset, text, value: constant.value };
  }

  /** The text of a string token. */
  text(token: Token): string {
    const value = unquote(token.text);
    if (value === undefined) throw this.#cursor.error("invalid escape in the string");
    return value;
  }
}
