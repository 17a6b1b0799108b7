import { tokensOf } from "../../grimoire/template/syntax/lexer.ts";
import type { Token } from "../../grimoire/template/syntax/token.ts";

/** A place where a template asks for a name: `.plan.summary` and `$.plan.summary` both ask for `plan`. */
interface AskedName {
  name: string;
  start: number;
  end: number;
}

/** An action, or a block from its `{{if}}` to its `{{end}}`, and all names that it asks for. */
export interface TemplatePart {
  start: number;
  end: number;
  asked: AskedName[];
}

const opening: ReadonlySet<string> = new Set(["if", "with", "range", "define", "block"]);

/** The parts of a template, in order. Text that is no template ends them. */
export function templateParts(text: string): TemplatePart[] {
  const tokens = tokensOf(text);
  const parts: TemplatePart[] = [];
  let part: TemplatePart | undefined;
  let depth = 0;
  for (const [at, { kind, offset, text: said }] of tokens.entries()) {
    if (kind === "left-delimiter") part ??= { start: offset, end: offset, asked: [] };
    if (!part) continue;
    if (isFirstWord(tokens, at)) depth += opening.has(kind) ? 1 : kind === "end" ? -1 : 0;
    if (kind === "field" && isRoot(tokens, at)) part.asked.push(askedName(tokens, at));
    if (kind !== "right-delimiter" || depth > 0) continue;
    parts.push({ ...part, end: offset + said.length });
    part = undefined;
    depth = 0;
  }
  return parts;
}

/** Whether a template asks for one of these names. */
export function asksFor(text: string, names: ReadonlySet<string>): boolean {
  return templateParts(text).some((part) => partAsksFor(part, names));
}

export function partAsksFor({ asked }: TemplatePart, names: ReadonlySet<string>): boolean {
  return asked.some(({ name }) => names.has(name));
}

/** A template that asks for these names and takes their absence for an empty text. */
export function guardNames(text: string, names: ReadonlySet<string>): string {
  let guarded = "";
  let from = 0;
  for (const { name, start, end } of templateParts(text).flatMap(({ asked }) => asked)) {
    if (!names.has(name)) continue;
    guarded += `${text.slice(from, start)}(default "" ${text.slice(start, end)})`;
    from = end;
  }
  return guarded + text.slice(from);
}

/** Whether a token says what its action is: the `if` of `{{else if}}` opens nothing. */
function isFirstWord(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.kind === "space" ? tokens[at - 2] : tokens[at - 1];
  return before?.kind === "left-delimiter";
}

/** Whether a field is the first of its path, and no field of a variable or of what parentheses give. */
function isRoot(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  if (before?.kind === "variable") return before.text === "$";
  return before?.kind !== "field" && before?.kind !== "right-paren";
}

function askedName(tokens: readonly Token[], at: number): AskedName {
  const field = tokens[at]!;
  const start = tokens[at - 1]?.kind === "variable" ? tokens[at - 1]!.offset : field.offset;
  let last = at;
  while (tokens[last + 1]?.kind === "field") last++;
  return { name: field.text.slice(1), start, end: tokens[last]!.offset + tokens[last]!.text.length };
}
