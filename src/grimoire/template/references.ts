import type { Place } from "../../contract/problem.ts";
import type { Template } from "./parse.ts";
import type { BranchNode, CommandNode, ListNode, Operand, PipeNode, TemplateNode } from "./syntax/nodes.ts";
import { Places } from "./syntax/places.ts";

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
export function references(template: Template): Reference[] {
  return referencesAndUse(template).found;
}

/** Whether a template takes its data as a whole, so that nobody can say which names it asks for: `{{json .}}`. */
export function usesAllData(template: Template): boolean {
  return referencesAndUse(template).usesAllData;
}

/** Both in one pass. */
export function referencesAndUse(template: Template): { found: Reference[]; usesAllData: boolean } {
  const finder = new Finder(template);
  finder.list(template.root, { dotIsRoot: true, tested: new Set() });
  return { found: finder.found(), usesAllData: finder.usesAllData };
}

interface Surroundings {
  dotIsRoot: boolean;
  /** First names that an `if` or `with` around has tested. */
  tested: ReadonlySet<string>;
}

class Finder {
  readonly #template: Template;
  readonly #found = new Map<number, { path: string[]; guarded: boolean }>();
  readonly #visited = new Set<string>();
  usesAllData = false;
  /** Whether `$` was declared or assigned, so that it need not be the data any more. */
  #dollarChanged = false;

  constructor(template: Template) {
    this.#template = template;
    this.#visited.add(template.name);
  }

  found(): Reference[] {
    const places = new Places(this.#template.text);
    const inOrder = [...this.#found].sort(([a], [b]) => a - b);
    return inOrder.map(([offset, { path, guarded }]) => ({ path, guarded, ...places.of(offset) }));
  }

  list(list: ListNode, around: Surroundings): void {
    for (const node of list.nodes) {
      if (node.kind === "action") this.#pipe(node.pipe, around, false);
      else if (node.kind === "template") this.#call(node, around);
      else if (node.kind === "if" || node.kind === "with" || node.kind === "range") this.#branch(node, around);
    }
  }

  #branch(node: BranchNode, around: Surroundings): void {
    const isCondition = node.kind !== "range";
    const names = this.#pipe(node.pipe, around, isCondition);
    const inside = isCondition ? { ...around, tested: new Set([...around.tested, ...names]) } : around;
    this.list(node.list, node.kind === "if" ? inside : { ...inside, dotIsRoot: false });
    if (node.elseList) this.list(node.elseList, inside);
  }

  #call(node: TemplateNode, around: Surroundings): void {
    if (!node.pipe) return;
    const tree = this.#template.trees.get(node.name);
    if (!isRoot(node.pipe, around)) this.#pipe(node.pipe, around, false);
    else if (!tree) this.usesAllData = true;
    if (!tree || this.#visited.has(node.name) || !isRoot(node.pipe, around)) return;
    this.#visited.add(node.name);
    this.list(tree, { dotIsRoot: true, tested: around.tested });
  }

  /** The first names of the references in it. */
  #pipe(pipe: PipeNode, around: Surroundings, guarded: boolean): string[] {
    const names = pipe.commands.flatMap((command, at) => {
      const piped = pipe.commands[at + 1];
      return this.#command(command, around, guarded || (piped !== undefined && isGuard(piped)));
    });
    if (pipe.variables.includes("$")) this.#dollarChanged = true;
    return names;
  }

  #command(command: CommandNode, around: Surroundings, guarded: boolean): string[] {
    const named = command.include?.named.map(({ value }) => value) ?? [];
    const inside = guarded || isGuard(command);
    return [command.first, ...command.args, ...named].flatMap((operand) => this.#operand(operand, around, inside));
  }

  #operand(operand: Operand, around: Surroundings, guarded: boolean): string[] {
    if (operand.kind === "pipe") return this.#pipe(operand, around, guarded);
    if (operand.kind === "chain") return this.#operand(operand.node, around, guarded);
    const isAll =
      operand.kind === "dot" ? around.dotIsRoot : operand.kind === "variable" && operand.path.join() === "$";
    if (isAll) this.usesAllData = true;
    if (operand.kind === "field" && around.dotIsRoot) return this.#add(operand.path, operand.start, around, guarded);
    if (operand.kind === "variable" && this.#isRootPath(operand.path)) {
      return this.#add(operand.path.slice(1), operand.start, around, guarded);
    }
    return [];
  }

  #isRootPath([name, ...fields]: readonly string[]): boolean {
    return name === "$" && fields.length > 0 && !this.#dollarChanged;
  }

  #add(path: string[], offset: number, { tested }: Surroundings, guarded: boolean): string[] {
    const [name = ""] = path;
    this.#found.set(offset, { path, guarded: guarded || tested.has(name) });
    return [name];
  }
}

function isGuard({ first }: CommandNode): boolean {
  return first.kind === "identifier" && guards.has(first.name);
}

/** Whether a pipeline is just `.` where that is the data, or `$`. */
function isRoot({ commands }: PipeNode, { dotIsRoot }: Surroundings): boolean {
  const [command] = commands;
  if (commands.length !== 1 || !command || command.args.length > 0) return false;
  const { first } = command;
  return (first.kind === "dot" && dotIsRoot) || (first.kind === "variable" && first.path.join() === "$");
}
