import { JsonProblem, parseTree, type JsonMember, type JsonNode } from "./json-tree.ts";

/** What stands in a part of a text is put in its place. */
export interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * Marks a list or object that was there and empty: behind its bracket, a blank and a line end. What we made ourselves never begins so;
 * so it is known, when our part is taken out, whether the brackets were there before.
 */
const emptyMark = /^ \r?\n[ \t]*/;

/** The object that a text is. Throws a JsonProblem. */
export function objectIn(settings: string): JsonNode {
  const root = parseTree(settings);
  if (root.kind !== "object") throw new JsonProblem("no JSON object", settings, root.start);
  return root;
}

/** The member of this name; undefined when there is none. Throws a JsonProblem when there are two. */
export function memberOf(settings: string, node: JsonNode, key: string): JsonMember | undefined {
  const [found, again] = node.members.filter((member) => member.key === key);
  if (again) throw new JsonProblem(`"${key}" stands there twice`, settings, again.start);
  return found;
}

export interface Style {
  eol: string;
  unit: string;
}

/** As the file is written: what it ends its lines with, and what it begins those inside with. */
export function styleOf(settings: string): Style {
  const [, eol = "\n", unit = "  "] = /(\r?\n)([ \t]+)(?=\S)/.exec(settings) ?? /(\r?\n)/.exec(settings) ?? [];
  return { eol, unit: unit.length > 8 ? "  " : unit };
}

/** Puts members behind the last one; into nothing, behind the mark. */
export function insertMembers(
  settings: string,
  node: JsonNode,
  texts: string[],
  { eol, unit }: Style,
  depth: number,
): Edit {
  const lines = texts.map((text) => `${eol}${unit.repeat(depth)}${text}`);
  const last = node.members.at(-1);
  if (last) return { start: last.value.end, end: last.value.end, text: lines.map((line) => `,${line}`).join("") };
  return { start: node.start + 1, end: node.start + 1, text: ` ${lines.join(",")}${eol}` };
}

/** Whether an object or list was there, and empty, before what is in it was put there. */
export function hasEmptyMark(settings: string, { start, end }: JsonNode): boolean {
  return emptyMark.test(settings.slice(start + 1, Math.min(end, start + 200)));
}

/** Takes members out, with what was put around them. */
export function removeMembers(settings: string, node: JsonNode, gone: JsonMember[]): Edit[] {
  if (gone.length === 0) return [];
  if (gone.length === node.members.length) {
    const end = gone.at(-1)!.value.end;
    const lineEnd = /^\r?\n/.exec(settings.slice(end, end + 2))?.[0] ?? "";
    return [{ start: node.start + 1, end: end + lineEnd.length, text: "" }];
  }
  return gone.map((member) => {
    const at = node.members.indexOf(member);
    const before = node.members[at - 1];
    // With the comma before it; the first ones with that behind them.
    if (before && node.members.slice(0, at).some((each) => !gone.includes(each)))
      return { start: commaAfter(settings, before), end: member.value.end, text: "" };
    return { start: member.start, end: node.members[at + 1]!.start, text: "" };
  });
}

/** Where the comma behind a member stands; comments may be before it. */
function commaAfter(settings: string, { value }: JsonMember): number {
  const comma = settings.indexOf(",", value.end);
  const between = settings.slice(value.end, comma);
  return between.trim() === "" ? comma : value.end;
}

export function apply(settings: string, edits: Edit[]): string {
  let result = settings;
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start))
    result = result.slice(0, start) + text + result.slice(end);
  return result;
}
