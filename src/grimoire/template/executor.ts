import { Evaluator, type Frame } from "./evaluator.ts";
import type { Branches, ExecuteOptions } from "./options.ts";
import { sortedKeys } from "./format/printer.ts";
import type { Template } from "./parse.ts";
import { printedText } from "./printed-text.ts";
import { EvaluationError } from "./template-error.ts";
import { Scope } from "./scope.ts";
import type { Segment } from "./segment.ts";
import type { ActionNode, BranchNode, ListNode, Node, TemplateNode } from "./syntax/nodes.ts";
import { toData } from "./to-data.ts";
import { Unknown, type Data } from "./unknown.ts";
import { entryOf, isTrue, kindOf, load, unwrap, Raw, typeName, type DataMap, type Plain, type Value } from "./value.ts";

/** How a list of nodes ended early. */
type Jump = "break" | "continue" | undefined;

/** A template that is executing, and how many undecided branches were open when it was called. */
interface ActiveCall {
  name: string;
  dot: Value;
  undecided: number;
}

/** Walks a template's tree and collects what it prints. */
export class Executor {
  readonly #template: Template;
  readonly #evaluator: Evaluator;
  readonly #branches: Branches;
  readonly #segments: Segment[] = [];
  #length = 0;
  #calls: ActiveCall[];
  /** How many open branches depend on an unknown value. */
  #undecided = 0;
  /** Whether jumps are only marked, because they would leave an undecided branch. */
  #marksJumps = false;

  constructor(template: Template, data: Data, options: ExecuteOptions) {
    const dot = load(data ?? undefined);
    this.#template = template;
    this.#branches = options.branches ?? "both";
    this.#evaluator = new Evaluator(template, options, { scope: new Scope(dot), dot, dotBoxed: false });
    this.#calls = [{ name: template.name, dot, undecided: 0 }];
  }

  /** Everything that the template prints. */
  run(): Segment[] {
    this.#withPlace(() => this.#list(this.#template.root));
    return this.#segments;
  }

  /** The value of an action, before it is printed. */
  valueOf(action: ActionNode): Value {
    return this.#withPlace(() => this.#evaluator.pipelineResult(action.pipe));
  }

  /** Turns an error without a place into a TemplateError at the node that is executing. */
  #withPlace<T>(work: () => T): T {
    try {
      return this.#evaluator.budget.restoringDepth(work);
    } catch (error) {
      if (error instanceof EvaluationError) throw this.#evaluator.error(error.message);
      // The limits keep the stack in bounds, unless the caller has used it up before.
      if (error instanceof RangeError) throw this.#evaluator.error("too many blocks and calls inside one another");
      throw error;
    }
  }

  get #frame(): Frame {
    return this.#evaluator.frame;
  }

  #list(list: ListNode): Jump {
    for (const node of list.nodes) {
      const jump = this.#node(node);
      if (jump) return jump;
    }
    return undefined;
  }

  #node(node: Node): Jump {
    this.#evaluator.budget.spend(1);
    this.#evaluator.offset = node.offset;
    switch (node.kind) {
      case "text":
        this.#emit({ kind: "text", text: node.text, ...node.place });
        return undefined;
      case "action":
        this.#action(node);
        return undefined;
      case "break":
      case "continue":
        if (this.#marksJumps) this.#mark(node.kind);
        return node.kind;
      case "template":
        this.#call(node);
        return undefined;
      default:
        return this.#branch(node);
    }
  }

  #emit(segment: Segment): void {
    this.#length += segment.text.length;
    const { budget } = this.#evaluator;
    budget.chargeOutput(segment.text.length, this.#length);
    this.#segments.push(segment);
  }

  #mark(text: string): void {
    this.#emit({ kind: "marker", text: `⟨${text}⟩` });
  }

  /** Variables live on after an action, up to the end of the block. */
  #action(node: ActionNode): void {
    const result = this.#evaluator.pipelineResult(node.pipe);
    if (node.pipe.variables.length > 0) return;
    this.#evaluator.offset = node.offset;
    const text = printedText(unwrap(result), this.#evaluator.budget);
    this.#emit({ kind: "value", text, value: toData(result), raw: result instanceof Raw, ...node.place });
  }

  /** Executes a block, then removes the variables that it declared and restores the dot. */
  #branch(node: BranchNode): Jump {
    const { scope, dot, dotBoxed } = this.#frame;
    const { size } = scope;
    this.#evaluator.budget.enter();
    const jump = node.kind === "range" ? this.#range(node) : this.#ifOrWith(node);
    this.#evaluator.budget.leave();
    scope.shrinkTo(size);
    this.#setDot(dot, dotBoxed);
    return jump;
  }

  #ifOrWith(node: BranchNode): Jump {
    const value = this.#evaluator.pipeline(node.pipe);
    const inside = unwrap(value);
    if (inside instanceof Unknown) {
      return this.#undecidedBranches(node.kind, inside, node, () => {
        if (node.kind === "with") this.#setDot(value, false);
        return this.#list(node.list);
      });
    }
    if (!isTrue(inside)) return node.elseList && this.#list(node.elseList);
    if (node.kind === "with") this.#setDot(value, false);
    return this.#list(node.list);
  }

  #setDot(dot: Value, boxed: boolean): void {
    this.#frame.dot = dot;
    this.#frame.dotBoxed = boxed;
  }

  #range(node: BranchNode): Jump {
    const value = unwrap(this.#evaluator.pipeline(node.pipe));
    if (value instanceof Unknown) return this.#unknownRange(node, value);
    const outerMarksJumps = this.#marksJumps;
    const { dot, dotBoxed } = this.#frame;
    this.#marksJumps = false;
    const hasItems = this.#iterate(node, value);
    this.#marksJumps = outerMarksJumps;
    if (hasItems || !node.elseList) return undefined;
    this.#setDot(dot, dotBoxed);
    // As in Go, a break in the else branch ends this range and not the one around it.
    const jump = this.#list(node.elseList);
    return jump === "break" ? undefined : jump;
  }

  /** False when there was nothing to iterate over. */
  #iterate(node: BranchNode, value: Plain): boolean {
    const { budget } = this.#evaluator;
    switch (kindOf(value)) {
      case "nil":
        return false;
      case "list": {
        const list = value as Data[];
        for (let at = 0; at < list.length; at++) {
          if (this.#iteration(node, at, load(list[at]) ?? null) === "break") break;
        }
        return list.length > 0;
      }
      case "map": {
        const keys = sortedKeys(value as DataMap, budget);
        for (const key of keys) {
          if (this.#iteration(node, load(key), entryOf(value as DataMap, key) ?? null) === "break") break;
        }
        return keys.length > 0;
      }
      default:
        throw this.#evaluator.error(`cannot range over ${typeName(value)}`);
    }
  }

  /** Go sets the variables on top of the stack, whatever their names: with `=` these are not always the ones named. */
  #iteration(node: BranchNode, key: Value, item: Value): Jump {
    const { scope } = this.#frame;
    const { size } = scope;
    const count = node.pipe.variables.length;
    const isAssigned =
      (count < 1 || scope.assignFromTop(0, item, true)) && (count < 2 || scope.assignFromTop(1, key, false));
    if (!isAssigned) throw this.#evaluator.error("range has no variables to set");
    this.#evaluator.budget.spend(1);
    this.#setDot(item, true);
    const jump = this.#list(node.list);
    scope.shrinkTo(size);
    return jump;
  }

  #unknownRange(node: BranchNode, value: Unknown): Jump {
    const jump = this.#undecidedBranches("each", value, node, () => {
      this.#iteration(node, new Unknown(`${value.label}#`), new Unknown(`${value.label}[]`));
      return undefined;
    });
    return jump === "break" ? undefined : jump;
  }

  /** Executes both branches between markers, or the one that the options choose. */
  #undecidedBranches(word: string, { label }: Unknown, node: BranchNode, first: () => Jump): Jump {
    const second = (): Jump => node.elseList && this.#list(node.elseList);
    this.#undecided += 1;
    try {
      if (this.#branches !== "both") return this.#branches === "first" ? first() : second();
      this.#bothBranches(`${word} ${label}`, first, node.elseList && second);
      return undefined;
    } finally {
      this.#undecided -= 1;
    }
  }

  #bothBranches(opening: string, first: () => Jump, second: (() => Jump) | undefined): void {
    const { scope, dot, dotBoxed } = this.#frame;
    const outerMarksJumps = this.#marksJumps;
    const before = scope.snapshot();
    this.#marksJumps = true;
    this.#mark(opening);
    first();
    const after = [scope.snapshot()];
    if (second) {
      scope.restore(before);
      this.#setDot(dot, dotBoxed);
      this.#mark("else");
      second();
      after.push(scope.snapshot());
    }
    this.#mark("end");
    this.#marksJumps = outerMarksJumps;
    scope.merge(before, after);
  }

  #call(node: TemplateNode): void {
    const { budget } = this.#evaluator;
    const tree = this.#template.trees.get(node.name);
    if (!tree) throw this.#evaluator.error(`template ${JSON.stringify(node.name)} not defined`);
    if (this.#calls.length > budget.limits.callDepth) {
      throw this.#evaluator.error(`templates call one another more than ${budget.limits.callDepth} deep`);
    }
    const dot = node.pipe && this.#evaluator.pipeline(node.pipe);
    if (this.#isCircular(node.name, dot)) {
      if (this.#branches === "both") this.#mark(`template ${JSON.stringify(node.name)}`);
      return;
    }
    const [frame, outerMarksJumps] = [this.#frame, this.#marksJumps];
    this.#calls.push({ name: node.name, dot, undecided: this.#undecided });
    this.#evaluator.frame = { scope: new Scope(dot), dot, dotBoxed: false };
    this.#marksJumps = false;
    budget.enter();
    this.#list(tree);
    budget.leave();
    this.#marksJumps = outerMarksJumps;
    this.#evaluator.frame = frame;
    this.#calls.pop();
  }

  /** A call that only an undecided branch leads back to would never end. */
  #isCircular(name: string, dot: Value): boolean {
    return this.#calls.some(
      (call) => call.name === name && call.undecided < this.#undecided && (dot instanceof Unknown || dot === call.dot),
    );
  }
}
