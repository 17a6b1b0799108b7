import { defaultLimits, type TemplateLimits } from "./limits.ts";
import { tokensOf } from "./syntax/lexer.ts";
import type { ListNode } from "./syntax/nodes.ts";
import { OffsetPlaces } from "./syntax/places.ts";
import { TreeParser } from "./syntax/tree-parser.ts";
import { TemplateError } from "./template-error.ts";
import { toWellFormed } from "./utf8.ts";

/** A parsed template. Immutable: it can be executed any number of times. */
export interface Template {
  readonly name: string;
  readonly text: string;
  /** The template itself under its own name, and what it defines. */
  readonly trees: ReadonlyMap<string, ListNode>;
  readonly root: ListNode;
}

/** Throws a TemplateError when Go would refuse the text, or when it is too large. */
export function parseTemplate(name: string, text: string, limits: Partial<TemplateLimits> = {}): Template {
  const allLimits = { ...defaultLimits, ...limits };
  if (text.length > allLimits.sourceLength) {
    throw new TemplateError(name, 1, 1, `longer than ${allLimits.sourceLength} characters`);
  }
  const source = toWellFormed(text);
  const trees = new Map<string, ListNode>();
  const shared = {
    name,
    tokens: tokensOf(source),
    places: new OffsetPlaces(source),
    limits: allLimits,
    next: 0,
    nesting: 0,
  };
  new TreeParser(shared, trees).parseText(name);
  return { name, text: source, trees, root: trees.get(name)! };
}
