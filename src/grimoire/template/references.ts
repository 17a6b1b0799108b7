import type { Place } from "../../contract/problem.ts";
import type { Template } from "./parse.ts";
import type { BranchNode, CommandNode, ListNode, Operand, PipeNode, TemplateNode } from "./syntax/nodes.ts";
import { OffsetPlaces } from "./syntax/places.ts";

/** A path of fields that starts at the template's own data. */
export interface Reference extends Place {
  path: string[];
  /** It may be missing: a condition tests it, or a function that copes with it. */
  guarded: boolean;
}

/** Functions that are there to cope with a missing value. */
const guards: ReadonlySet<string> = new Set(["default", "and", "or", "not"]);

/**
 * Every `.a.b` and `$.a.b` whose root is certainly the template's data, in the order of the text. What a definition uses
 * counts when it is called with the data itself.
 */
export function findReferences(template: Template): Reference[] {
  return analyzeReferences(template).references;
}

/**
 * The references of a template, and whether it uses its data as a whole: `{{json .}}`. Then it may ask for any name,
 * and the references do not tell which.
 */
export function analyzeReferences(template: Template): { references: Reference[]; usesAllData: boolean } {
  const finder = new ReferenceFinder(template);
  finder.list(template.root, { dotIsRoot: true, testedNames: new Set() });
  return { references: finder.references(), usesAllData: finder.usesAllData };
}

interface Context {
  dotIsRoot: boolean;
  /** First names that an enclosing `if` or `with` has tested. */
  testedNames: ReadonlySet<string>;
}

class ReferenceFinder {
  readonly #template: Template;
  readonly #byOffset = new Map<number, { path: string[]; guarded: boolean }>();
  readonly #visited = new Set<string>();
  usesAllData = false;
  /** Whether `$` was declared or assigned, so that it need not be the data any more. */
  #dollarChanged = false;

  constructor(template: Template) {
    this.#template = template;
    this.#visited.add(template.name);
  }

  references(): Reference[] {
    const places = new OffsetPlaces(this.#template.text);
    const sorted = [...this.#byOffset].sort(([a], [b]) => a - b);
    return sorted.map(([offset, { path, guarded }]) => ({ path, guarded, ...places.of(offset) }));
  }

  list(list: ListNode, context: Context): void {
    for (const node of list.nodes) {
      if (node.kind === "action") this.#pipe(node.pipe, context, false);
      else if (node.kind === "template") this.#call(node, context);
      else if (node.kind === "if" || node.kind === "with" || node.kind === "range") this.#branch(node, context);
    }
  }

  #branch(node: BranchNode, context: Context): void {
    const isCondition = node.kind !== "range";
    const names = this.#pipe(node.pipe, context, isCondition);
    const inside = isCondition ? { ...context, testedNames: new Set([...context.testedNames, ...names]) } : context;
    this.list(node.list, node.kind === "if" ? inside : { ...inside, dotIsRoot: false });
    if (node.elseList) this.list(node.elseList, inside);
  }

  #call(node: TemplateNode, context: Context): void {
    if (!node.pipe) return;
    const tree = this.#template.trees.get(node.name);
    if (!isRoot(node.pipe, context)) this.#pipe(node.pipe, context, false);
    else if (!tree) this.usesAllData = true;
    if (!tree || this.#visited.has(node.name) || !isRoot(node.pipe, context)) return;
    this.#visited.add(node.name);
    this.list(tree, { dotIsRoot: true, testedNames: context.testedNames });
  }

  /** The first names of the references in it. */
  #pipe(pipe: PipeNode, context: Context, guarded: boolean): string[] {
    const names = pipe.commands.flatMap((command, at) => {
      const piped = pipe.commands[at + 1];
      return this.#command(command, context, guarded || (piped !== undefined && isGuard(piped)));
    });
    if (pipe.variables.includes("$")) this.#dollarChanged = true;
    return names;
  }

  #command(command: CommandNode, context: Context, guarded: boolean): string[] {
    const namedValues = command.include?.namedArgs.map(({ value }) => value) ?? [];
    const inside = guarded || isGuard(command);
    return [command.first, ...command.args, ...namedValues].flatMap((operand) =>
      this.#operand(operand, context, inside),
    );
  }

  #operand(operand: Operand, context: Context, guarded: boolean): string[] {
    if (operand.kind === "pipe") return this.#pipe(operand, context, guarded);
    if (operand.kind === "chain") return this.#operand(operand.node, context, guarded);
    const isAll =
      operand.kind === "dot" ? context.dotIsRoot : operand.kind === "variable" && operand.path.join() === "$";
    if (isAll) this.usesAllData = true;
    if (operand.kind === "field" && context.dotIsRoot) return this.#add(operand.path, operand.start, context, guarded);
    if (operand.kind === "variable" && this.#isRootPath(operand.path)) {
      return this.#add(operand.path.slice(1), operand.start, context, guarded);
    }
    return [];
  }

  #isRootPath([name, ...fields]: readonly string[]): boolean {
    return name === "$" && fields.length > 0 && !this.#dollarChanged;
  }

  #add(path: string[], offset: number, { testedNames }: Context, guarded: boolean): string[] {
    const [name = ""] = path;
    this.#byOffset.set(offset, { path, guarded: guarded || testedNames.has(name) });
    return [name];
  }
}

function isGuard({ first }: CommandNode): boolean {
  return first.kind === "identifier" && guards.has(first.name);
}

/** Whether a pipeline is just `.` where that is the data, or `$`. */
function isRoot({ commands }: PipeNode, { dotIsRoot }: Context): boolean {
  const [command] = commands;
  if (commands.length !== 1 || !command || command.args.length > 0) return false;
  const { first } = command;
  return (first.kind === "dot" && dotIsRoot) || (first.kind === "variable" && first.path.join() === "$");
}
