import { nearest } from "../../text/nearest.ts";
import { didYouMean } from "../definition/words.ts";
import type { Report } from "../definition/unplaced-problem.ts";
import type { Branch, Edge, MarkupGraph } from "./graph.ts";
import { nameFinder } from "./name-finder.ts";
import { templateNameOf, type MarkupNode } from "./nodes.ts";

/** Whether a node runs, as the `when` of its step: undefined when it always does. */
export interface NodeCondition {
  when: string | undefined;
  /** Where the condition stands. */
  offset: number;
}

/** All conditions of a workflow together, in characters: an `Otherwise` repeats others, and may lead to many nodes. */
const maxChars = 1_000_000;

type NameFinder = ReturnType<typeof nameFinder>;

/** To look for more, or for longer ones, would take long. */
const mostSuggestions = 20;
const mostSuggestedChars = 100;

interface Reports {
  report: Report;
  /** Hears of conditions that only people can read; they count as false. */
  reportForPeople: Report;
}

/** A node runs if one of those before it ran, and the condition between them holds. Goes through the nodes in their order. */
export function conditionsOf({ order, into }: MarkupGraph, ownWhen: (node: MarkupNode) => unknown, reports: Reports) {
  const { report } = reports;
  const conditions = new Map<MarkupNode, NodeCondition>();
  const earlier = new Map<string, MarkupNode>();
  const alwaysRuns = (node: MarkupNode): boolean =>
    conditions.get(node)?.when === undefined && ownWhen(node) === undefined;
  const names = order.map(({ heading }) => heading.name);
  const terms = new Terms(names, earlier, alwaysRuns, reports);
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
  readonly #names: readonly string[];
  readonly #nameOf: NameFinder;
  readonly #earlier: ReadonlyMap<string, MarkupNode>;
  readonly #alwaysRuns: (node: MarkupNode) => boolean;
  readonly #reports: Reports;
  /** Conditions that are repeated are read, and reported, once. */
  readonly #read = new Map<Branch["conditions"][number], string>();
  readonly #negated = new Map<Branch["conditions"], string>();
  #suggestions = 0;

  constructor(
    names: readonly string[],
    earlier: ReadonlyMap<string, MarkupNode>,
    alwaysRuns: (node: MarkupNode) => boolean,
    reports: Reports,
  ) {
    this.#names = names;
    this.#nameOf = nameFinder(names);
    this.#earlier = earlier;
    this.#alwaysRuns = alwaysRuns;
    this.#reports = reports;
  }

  /** What has to hold for an edge; undefined when nothing has to. */
  edge({ from, branch, offset }: Edge): string | undefined {
    const ran = this.#alwaysRuns(from) ? undefined : ranTerm(from);
    if (branch?.isOtherwise && branch.conditions.some(({ text }) => this.#isSuccessOf(text, from)))
      this.#reportNever(from, "Otherwise", offset);
    const condition = branch && this.#branch(branch);
    if (ran === undefined || condition === undefined) return ran ?? condition;
    return `(and ${ran} ${operand(condition)})`;
  }

  #isSuccessOf(text: string, { heading }: MarkupNode): boolean {
    const found = isAction(text) ? undefined : outcomeOf(text);
    return found?.outcome === "success" && this.#nameOf(found.name) === heading.name;
  }

  /** What a failure without `?` ends, nothing comes behind. */
  #reportNever({ heading: { name, mark } }: MarkupNode, what: string, offset: number): void {
    if (mark === "optional") return;
    const message = `${what} never holds: when ${name} fails, the run ${mark === "critical" ? "fails" : "blocks"}`;
    const hint = `write ? at the end of the heading of ${name}, so that the run goes on when it fails`;
    this.#reports.report({ offset, message, hint, severity: "warning" });
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

  /** What is one word, or nearly a node's name, was meant as one. */
  #unknownNode(text: string): { name: string; suggestion: string | undefined } | undefined {
    const name = isAction(text) ? undefined : outcomeOf(text)?.name;
    if (name === undefined || name.length > mostSuggestedChars || this.#nameOf(name) !== undefined) return undefined;
    const suggestion = this.#suggestions++ < mostSuggestions ? nearest(name, this.#names) : undefined;
    return /\s/.test(name) && suggestion === undefined ? undefined : { name, suggestion };
  }

  #condition({ text, offset }: Branch["conditions"][number]): string {
    if (isAction(text)) return text;
    const unknown = this.#unknownNode(text);
    if (unknown) {
      const hint = didYouMean(unknown.suggestion) ?? "conditions ask for a node by its heading's name";
      this.#reports.report({ offset, message: `there is no node ${unknown.name}`, hint });
      return "false";
    }
    if (isForPeople(text, this.#nameOf)) {
      const shown = text.length > 60 ? `${text.slice(0, 60).toWellFormed()}…` : text;
      const hint = "write one {{…}} that gives a boolean, or NODE.success or NODE.failed of a node before it";
      const message = `the condition "${shown}" is for people: a run cannot decide it`;
      this.#reports.reportForPeople({ offset, message, hint });
      return "false";
    }
    const { name: written, outcome } = outcomeOf(text)!;
    const name = this.#nameOf(written)!;
    const node = this.#earlier.get(name);
    if (node) {
      if (outcome === "failed") this.#reportNever(node, `${name}.failed`, offset);
      const field = `.${templateNameOf(node)}.${outcome}`;
      return this.#alwaysRuns(node) ? field : `(default false ${field})`;
    }
    const hint = `write ${name} → and the node that the condition stands in`;
    this.#reports.report({ offset, message: `${name} does not run before this condition is decided`, hint });
    return "false";
  }
}

/** `NODE.success` or `NODE.failed` */
function outcomeOf(text: string): { name: string; outcome: string } | undefined {
  const dot = text.lastIndexOf(".");
  const outcome = text.slice(dot + 1);
  return dot > 0 && (outcome === "success" || outcome === "failed") ? { name: text.slice(0, dot), outcome } : undefined;
}

/** Whether a run cannot decide a condition, whatever the order of the nodes. */
export function isForPeople(text: string, nameOf: NameFinder): boolean {
  return !isAction(text) && nameOf(outcomeOf(text)?.name ?? "") === undefined;
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
