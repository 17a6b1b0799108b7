import type { Report } from "../definition/unplaced-problem.ts";
import type { Branch, Edge, MarkupGraph } from "./graph.ts";
import { templateNameOf, type MarkupNode } from "./nodes.ts";

/** Whether a node runs, as the `when` of its step: undefined when it always does. */
export interface NodeCondition {
  when: string | undefined;
  /** Where the condition stands. */
  offset: number;
}

/** All conditions of a workflow together, in characters: an `Otherwise` repeats others, and may lead to many nodes. */
const maxChars = 1_000_000;

/**
 * A node runs if one of those before it ran, and the condition between them holds. Goes through the nodes in their order. Reports
 * conditions that only people can read.
 */
export function conditionsOf({ order, into }: MarkupGraph, ownWhen: (node: MarkupNode) => unknown, report: Report) {
  const conditions = new Map<MarkupNode, NodeCondition>();
  const earlier = new Map<string, MarkupNode>();
  const alwaysRuns = (node: MarkupNode): boolean =>
    conditions.get(node)?.when === undefined && ownWhen(node) === undefined;
  const terms = new Terms(new Set(order.map(({ heading }) => heading.name)), earlier, alwaysRuns, report);
  let chars = 0;
  for (const node of order) {
    const edges = into[node.index]!;
    const guarded = edges.map((edge) => terms.edge(edge));
    if (chars > maxChars) {
      conditions.set(node, { when: undefined, offset: node.offset });
      continue;
    }
    const when = edges.length === 0 || guarded.includes(undefined) ? undefined : joined(guarded as string[]);
    chars += when?.length ?? 0;
    if (chars > maxChars)
      report({ offset: node.offset, message: "the conditions of this workflow are too long together" });
    conditions.set(node, { when, offset: edges.find(({ branch }) => branch)?.offset ?? node.offset });
    earlier.set(node.heading.name, node);
  }
  return conditions;
}

function joined(terms: string[]): string {
  // A condition that stands alone stays as it was written.
  if (terms.length === 1) return isAction(terms[0]!) ? terms[0]! : `{{${unwrapped(terms[0]!)}}}`;
  return `{{or ${terms.map(operand).join(" ")}}}`;
}

class Terms {
  readonly #names: ReadonlySet<string>;
  readonly #earlier: ReadonlyMap<string, MarkupNode>;
  readonly #alwaysRuns: (node: MarkupNode) => boolean;
  readonly #report: Report;
  /** Conditions that are repeated are read, and reported, once. */
  readonly #read = new Map<Branch["conditions"][number], string>();
  readonly #negated = new Map<Branch["conditions"], string>();

  constructor(
    names: ReadonlySet<string>,
    earlier: ReadonlyMap<string, MarkupNode>,
    alwaysRuns: (node: MarkupNode) => boolean,
    report: Report,
  ) {
    this.#names = names;
    this.#earlier = earlier;
    this.#alwaysRuns = alwaysRuns;
    this.#report = report;
  }

  /** What has to hold for an edge; undefined when nothing has to. */
  edge({ from, branch }: Edge): string | undefined {
    const ran = this.#alwaysRuns(from) ? undefined : ranTerm(from);
    const condition = branch && this.#branch(branch);
    if (ran === undefined || condition === undefined) return ran ?? condition;
    return `(and ${ran} ${operand(condition)})`;
  }

  #branch({ conditions, isOtherwise }: Branch): string {
    if (!isOtherwise) return this.#term(conditions[0]!);
    const known = this.#negated.get(conditions);
    if (known !== undefined) return known;
    const terms = conditions.map((each) => operand(this.#term(each)));
    const negated = terms.length === 1 ? `(not ${terms[0]!})` : `(not (or ${terms.join(" ")}))`;
    this.#negated.set(conditions, negated);
    return negated;
  }

  #term(condition: Branch["conditions"][number]): string {
    const term = this.#read.get(condition) ?? this.#condition(condition);
    this.#read.set(condition, term);
    return term;
  }

  #condition({ text, offset }: Branch["conditions"][number]): string {
    if (isAction(text)) return text;
    const dot = text.lastIndexOf(".");
    const outcome = text.slice(dot + 1);
    const name = text.slice(0, Math.max(dot, 0));
    const isOutcome = outcome === "success" || outcome === "failed";
    const node = isOutcome ? this.#earlier.get(name) : undefined;
    if (node) {
      const field = `.${templateNameOf(node)}.${outcome}`;
      return this.#alwaysRuns(node) ? field : `(default false ${field})`;
    }
    if (isOutcome && this.#names.has(name)) {
      const hint = `write ${name} → and the node that the condition stands in`;
      this.#report({ offset, message: `${name} does not run before this condition is decided`, hint });
      return "false";
    }
    const shown = text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
    const hint = "write one {{…}} that gives a boolean, or NODE.success or NODE.failed of a node before it";
    this.#report({ offset, message: `the condition "${shown}" is for people: a run cannot decide it`, hint });
    return "false";
  }
}

/** A step that was skipped is missing. */
function ranTerm(node: MarkupNode): string {
  const name = templateNameOf(node);
  return `(or (default false .${name}.success) (default false .${name}.failed))`;
}

/** One `{{…}}`, and nothing beside it. */
export function isAction(text: string): boolean {
  return text.startsWith("{{") && text.endsWith("}}") && text.indexOf("}}") === text.length - 2;
}

/** A term as an operand of another. */
export function operand(term: string): string {
  if (!isAction(term)) return term;
  return `(${term.slice(2, -2).replace(/^-\s/, "").replace(/\s-$/, "").trim()})`;
}

function unwrapped(term: string): string {
  return term.startsWith("(") && term.endsWith(")") ? term.slice(1, -1) : term;
}
