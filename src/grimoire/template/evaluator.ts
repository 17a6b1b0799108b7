import { RenderBudget } from "./budget.ts";
import type { ExecuteOptions } from "./options.ts";
import { functions, type FunctionContext } from "./functions/functions.ts";
import { signatures } from "./functions/signatures.ts";
import { isUndecided, resultTypes } from "./functions/undecided.ts";
import { includeData } from "./include-data.ts";
import type { Template } from "./parse.ts";
import { EvaluationError, TemplateError } from "./template-error.ts";
import type { Scope } from "./scope.ts";
import { commandsText, commandText } from "./syntax/node-text.ts";
import type { ChainNode, CommandNode, IdentifierNode, Operand, PipeNode, VariableNode } from "./syntax/nodes.ts";
import { OffsetPlaces } from "./syntax/places.ts";
import { Unknown } from "./unknown.ts";
import { toWellFormed } from "./utf8.ts";
import { entryOf, isTrue, kindOf, load, unwrap, Raw, typeName, type DataMap, type Plain, type Value } from "./value.ts";

/** What expressions see: the dot and the variables of the template call that is executing. */
export interface Frame {
  scope: Scope;
  dot: Value;
  /** Whether Go would hold the dot in an interface, as it does with the items of a range. */
  dotBoxed: boolean;
}

/** A function or field that may get arguments: its own, and the result of the pipeline before it. */
interface Call {
  args: readonly Operand[];
  piped: { value: Value } | undefined;
}

const noArguments: Call = { args: [], piped: undefined };

/** Evaluates pipelines. Follows Go in what it evaluates, in which order, and where it says an error stands. */
export class Evaluator {
  readonly #template: Template;
  readonly #options: ExecuteOptions;
  readonly #context: FunctionContext;
  readonly budget: RenderBudget;
  frame: Frame;
  /** Where an error would be reported. */
  offset = 0;

  constructor(template: Template, options: ExecuteOptions, frame: Frame) {
    this.#template = template;
    this.#options = options;
    this.budget = options.budget ?? new RenderBudget(options.limits);
    this.#context = { budget: this.budget, origins: new WeakMap() };
    this.frame = frame;
  }

  error(message: string): TemplateError {
    const { line, column } = new OffsetPlaces(this.#template.text).of(this.offset);
    return new TemplateError(this.#template.name, line, column, message);
  }

  /** The value of a pipeline. Its variables are declared or assigned. A nil counts as missing from here on. */
  pipeline(pipe: PipeNode): Value {
    return this.pipelineResult(pipe) ?? undefined;
  }

  /** Like `pipeline`, but tells a nil of the data from a missing value. */
  pipelineResult(pipe: PipeNode): Value {
    this.offset = pipe.offset;
    let result: Value;
    for (let at = 0; at < pipe.commands.length; at++) {
      result = this.#command(pipe, at, at === 0 ? undefined : { value: result ?? undefined });
    }
    for (const name of pipe.variables) {
      const value = result ?? undefined;
      if (!pipe.isAssign) this.frame.scope.declare(name, value);
      else if (!this.frame.scope.assign(name, value)) throw this.error(`undefined variable ${name}`);
    }
    return result;
  }

  #command(pipe: PipeNode, at: number, piped: Call["piped"]): Value {
    this.budget.spend(1);
    const command = pipe.commands[at]!;
    const { first, args } = command;
    const call: Call = { args, piped };
    switch (first.kind) {
      case "field":
        this.offset = first.offset;
        return this.#fields(this.frame.dot, first.path, call);
      case "chain":
        return this.#chain(first, call);
      case "identifier": {
        const label = (): string => (piped ? commandsText(pipe.commands.slice(0, at + 1)) : commandText(command));
        return this.#function(first, call, command, label);
      }
      case "pipe":
        this.#refuseArguments(call);
        return this.#parenthesized(first);
      case "variable":
        return this.#variable(first, call);
      case "nil":
        this.offset = first.offset;
        this.#refuseArguments(call);
        throw this.error("nil is not a command");
      default:
        this.offset = first.offset;
        this.#refuseArguments(call);
        return this.#operand(first);
    }
  }

  #refuseArguments({ args, piped }: Call): void {
    if (args.length > 0 || piped) throw this.error("only a function can have arguments");
  }

  #parenthesized(pipe: PipeNode): Value {
    this.budget.enter();
    const value = this.pipelineResult(pipe) ?? undefined;
    this.budget.leave();
    return value;
  }

  #variable({ offset, path }: VariableNode, call: Call): Value {
    this.offset = offset;
    const [name, ...fields] = path as [string, ...string[]];
    const variable = this.frame.scope.find(name);
    if (!variable) throw this.error(`undefined variable ${name}`);
    if (fields.length > 0) return this.#fields(variable.value, fields, call);
    this.#refuseArguments(call);
    return variable.value;
  }

  #chain(chain: ChainNode, call: Call): Value {
    this.offset = chain.offset;
    return this.#fields(this.#argument(chain.node), chain.path, call);
  }

  /** Walks along .a.b.c. Only the last field could have arguments. */
  #fields(receiver: Value, path: readonly string[], call: Call): Value {
    let value = unwrap(receiver);
    for (let at = 0; at < path.length; at++) {
      value = this.#field(value, path[at]!, at === path.length - 1 ? call : noArguments);
    }
    return value;
  }

  #field(receiver: Plain, name: string, { args, piped }: Call): Plain {
    if (receiver === undefined) return undefined;
    if (receiver === null) throw this.error(`there is no field ${name} in null`);
    const kind = kindOf(receiver);
    if (kind !== "map" && kind !== "unknown") throw this.error(`there is no field ${name} in ${typeName(receiver)}`);
    if (args.length > 0 || piped) throw this.error(`the field ${name} is no function, but has arguments`);
    const value = kind === "map" ? entryOf(receiver as DataMap, name) : load((receiver as Unknown).field(name));
    if (typeof value === "string") this.budget.chargeLookup(value.length);
    return value;
  }

  #argument(node: Operand): Value {
    this.offset = node.offset;
    return this.#operand(node);
  }

  /** An argument of a function; some must be texts. */
  #checkArgument(argument: Value, mustBeText: boolean): Plain {
    const value = unwrap(argument);
    const kind = kindOf(value);
    if (mustBeText && kind !== "string" && kind !== "unknown") {
      throw this.error(`expected a string, found ${typeName(value)}`);
    }
    return value;
  }

  #operand(node: Operand): Value {
    switch (node.kind) {
      case "variable":
        return this.#variable(node, noArguments);
      case "pipe":
        return this.#parenthesized(node);
      case "identifier":
        return this.#function(node, noArguments, undefined, () => node.name);
      case "chain":
        return this.#chain(node, noArguments);
      case "field":
        return this.#fields(this.frame.dot, node.path, noArguments);
      case "dot":
        return this.frame.dot;
      case "number":
        if (node.value === undefined) throw this.error(`${node.text} overflows int`);
        return node.value;
      case "bool":
      case "string":
        return node.value;
      case "nil":
        return undefined;
    }
  }

  #function(
    { name, offset }: IdentifierNode,
    call: Call,
    command: CommandNode | undefined,
    label: () => string,
  ): Value {
    this.offset = offset;
    const { minArgs, maxArgs, textFirst } = signatures.get(name)!;
    const count = call.args.length + (call.piped ? 1 : 0);
    if (count < minArgs || count > maxArgs) {
      throw this.error(`wrong number of arguments for ${name}: ${count} instead of ${countRange(minArgs, maxArgs)}`);
    }
    if (name === "and" || name === "or") return this.#logic(name, call, label);
    const args: Plain[] = [];
    const addArgument = (value: Value) => args.push(this.#checkArgument(value, textFirst && args.length === 0));
    for (const node of call.args) addArgument(this.#argument(node));
    if (name === "slice") this.#refuseBoxedIndexes(call.args, args, command?.offset ?? offset);
    if (call.piped) addArgument(call.piped.value);
    if (name === "include") return this.#include(args, command, offset, label);
    if (name === "raw") return new Raw(args[0] ?? undefined);
    const errorOffset = command?.offset ?? offset;
    return this.#withOffset(errorOffset, () => this.#apply(name, args, label));
  }

  /** Does the work; an EvaluationError becomes a TemplateError at the offset. */
  #withOffset<T>(offset: number, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      this.offset = offset;
      throw this.error(error.message);
    }
  }

  #apply(name: string, args: readonly Plain[], label: () => string): Plain {
    for (const value of args) {
      if (typeof value === "string") this.budget.chargeReading(value.length);
    }
    if (!isUndecided(name, args)) return functions.get(name)!(args, this.#context);
    // Partials print values as JSON under names of their own; the label of the value says more than the expression.
    const [value] = args;
    const text = name === "json" && value instanceof Unknown ? `json ${value.label}` : label();
    return new Unknown(text, resultTypes.get(name));
  }

  /** `and` and `or` evaluate no more arguments than they need. */
  #logic(name: "and" | "or", { args, piped }: Call, label: () => string): Plain {
    let value: Plain;
    for (const node of args) {
      value = unwrap(this.#argument(node));
      if (value instanceof Unknown) return new Unknown(label());
      if (isTrue(value) === (name === "or")) return value;
    }
    return piped ? unwrap(piped.value) : value;
  }

  /** Go's slice takes no index that is held in an interface: neither a field nor an item of a range. */
  #refuseBoxedIndexes(nodes: readonly Operand[], values: readonly Plain[], offset: number): void {
    const index = nodes.findIndex((node, at) => at > 0 && this.#isBoxed(node, values[at]));
    if (index < 0) return;
    this.offset = offset;
    throw this.error("an index of slice cannot be a field or an item: put it in parentheses");
  }

  #isBoxed(node: Operand, value: Plain): boolean {
    if (node.kind === "dot") return this.frame.dotBoxed;
    if (node.kind === "variable" && node.path.length === 1) return this.frame.scope.find(node.path[0]!)?.boxed ?? false;
    return ["field", "variable", "chain"].includes(node.kind) && value !== undefined;
  }

  #include(args: Plain[], command: CommandNode | undefined, offset: number, label: () => string): Plain {
    const namedArgs = command?.include?.namedArgs ?? [];
    const namedValues = namedArgs.map(({ key, value }): [string, Plain] => [key, unwrap(this.#argument(value))]);
    const name = args[0];
    const data = args.length > 1 ? args[1] : unwrap(this.frame.scope.find("$")?.value);
    if (name instanceof Unknown) return new Unknown(label(), "text");
    const place = command?.include?.place ?? new OffsetPlaces(this.#template.text).of(offset);
    return this.#withOffset(offset, () => {
      const { include } = this.#options;
      if (!include) throw new EvaluationError("include is not possible here");
      this.budget.enter();
      const text = include(
        toWellFormed(name as string),
        includeData(data, namedValues, this.budget),
        place,
        this.budget,
      );
      this.budget.leave();
      this.budget.chargeText(text.length);
      return load(text);
    });
  }
}

function countRange(min: number, max: number): string {
  if (min === max) return String(min);
  return max === Infinity ? `at least ${min}` : `${min} to ${max}`;
}
