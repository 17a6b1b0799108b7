import {
  apply,
  hasEmptyMark,
  insertMembers,
  memberOf,
  objectIn,
  removeMembers,
  styleOf,
  type Edit,
  type Style,
} from "./json-edits.ts";
import { JsonProblem, type JsonMember, type JsonNode } from "./json-tree.ts";

/** What is to stand in an engine's settings: for each event, the JSON of an element of its list. */
export type HookElements = ReadonlyMap<string, string>;

/** Tells whether an element is one of ours, by its commands and addresses. */
export type IsOwn = (words: readonly string[]) => boolean;

/** The settings with these hooks; those that are there stay. Everything else keeps its bytes. `undefined`: there is no file yet. */
export function addHooks(settings: string | undefined, elements: HookElements, isOwn: IsOwn): string {
  if (settings === undefined) {
    const style = { eol: "\n", unit: "  " };
    return `{\n  ${hooksMember(elements, style)}\n}\n`;
  }
  const root = objectIn(settings);
  const style = styleOf(settings);
  const hooks = memberOf(settings, root, "hooks");
  if (!hooks) return apply(settings, [insertMembers(settings, root, [hooksMember(elements, style)], style, 1)]);
  if (hooks.value.kind !== "object") throw new JsonProblem('"hooks" is no object', settings, hooks.start);
  const edits: Edit[] = [];
  const missing: string[] = [];
  for (const [event, element] of elements) {
    const list = memberOf(settings, hooks.value, event);
    if (!list) missing.push(eventMember(event, element));
    else if (list.value.kind !== "array") throw new JsonProblem(`"${event}" is no list`, settings, list.start);
    else if (!list.value.members.some(({ value }) => isOwn(wordsIn(value))))
      edits.push(insertMembers(settings, list.value, [element], style, 3));
  }
  if (missing.length > 0) edits.push(insertMembers(settings, hooks.value, missing, style, 2));
  return apply(settings, edits);
}

/** The settings without our hooks: the very bytes from before `addHooks`. `undefined`: the file was made for them. */
export function removeHooks(settings: string, isOwn: IsOwn): string | undefined {
  const root = objectIn(settings);
  const hooks = memberOf(settings, root, "hooks");
  if (hooks?.value.kind !== "object") return settings;
  const edits: Edit[] = [];
  const emptied: JsonMember[] = [];
  for (const event of hooks.value.members) {
    if (event.value.kind !== "array") continue;
    const own = event.value.members.filter(({ value }) => isOwn(wordsIn(value)));
    if (own.length === 0) continue;
    const isAll = own.length === event.value.members.length;
    if (isAll && !hasEmptyMark(settings, event.value)) emptied.push(event);
    else edits.push(...removeMembers(settings, event.value, own));
  }
  if (edits.length === 0 && emptied.length === 0) return settings;
  const isAll = emptied.length === hooks.value.members.length;
  if (!isAll || hasEmptyMark(settings, hooks.value)) edits.push(...removeMembers(settings, hooks.value, emptied));
  else if (root.members.length > 1 || hasEmptyMark(settings, root))
    edits.push(...removeMembers(settings, root, [hooks]));
  else return undefined;
  return apply(settings, edits);
}

/** The events that have one of our hooks. */
export function ownEvents(settings: string, isOwn: IsOwn): string[] {
  const hooks = memberOf(settings, objectIn(settings), "hooks");
  if (hooks?.value.kind !== "object") return [];
  return hooks.value.members
    .filter(({ value }) => value.kind === "array" && value.members.some((each) => isOwn(wordsIn(each.value))))
    .map(({ key }) => key!);
}

/** What tells hooks of ours from others, and how they fail. */
const ownKeys = new Set(["command", "url", "onFailure"]);

/** The commands and addresses of an element of ours or others. */
function wordsIn(element: JsonNode): string[] {
  const fieldsOf = (node: JsonNode): [string, JsonNode][] => node.members.map(({ key, value }) => [key ?? "", value]);
  const lists = fieldsOf(element).flatMap(([key, value]) => (key === "hooks" ? value.members : []));
  return lists.flatMap(({ value }) =>
    fieldsOf(value).flatMap(([key, each]) => (ownKeys.has(key) ? (each.text ?? []) : [])),
  );
}

function eventMember(event: string, element: string): string {
  return `${JSON.stringify(event)}: [${element}]`;
}

function hooksMember(elements: HookElements, { eol, unit }: Style): string {
  const events = [...elements].map(([event, element]) => `${eol}${unit.repeat(2)}${eventMember(event, element)}`);
  return `"hooks": {${events.join(",")}${eol}${unit}}`;
}
