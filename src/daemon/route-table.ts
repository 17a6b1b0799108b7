import type { Operation } from "../contract/api/operation.ts";
import { routes, type RemoteOperation } from "../contract/api/routes.ts";
import { operations } from "../contract/api/table.ts";
import { nearest } from "../text/nearest.ts";

/** An operation, and where it stands in the REST API. */
export interface RouteEntry {
  name: RemoteOperation;
  resource: string;
  operationName: string;
  operation: Operation;
  method: string;
  /** Words of the path; those in braces are fields of the request. */
  pattern: string[];
}

interface Place {
  words: Map<string, Place>;
  /** What follows any other word, which is a field. */
  field?: Place;
  byMethod: Map<string, RouteEntry>;
}

export const routeEntries: RouteEntry[] = Object.entries(routes).map(([name, route]) => {
  const [resource = "", operationName = ""] = name.split(".");
  const [method = "", path = ""] = route.split(" ");
  const table = operations as unknown as Record<string, Record<string, Operation>>;
  return {
    name: name as RemoteOperation,
    resource,
    operationName,
    operation: table[resource]![operationName]!,
    method,
    pattern: path.split("/").slice(1),
  };
});

const root = newPlace();
for (const entry of routeEntries) {
  let place = root;
  for (const word of entry.pattern) place = isField(word) ? (place.field ??= newPlace()) : wordIn(place, word);
  place.byMethod.set(entry.method, entry);
}

/** The operations that stand at a path, by method; undefined when none does. A word of the API itself goes before a field. */
export function findPath(words: string[]): ReadonlyMap<string, RouteEntry> | undefined {
  let place: Place | undefined = root;
  for (const word of words) {
    place = place.words.get(word) ?? (word === "" ? undefined : place.field);
    if (!place) return undefined;
  }
  return place.byMethod.size > 0 ? place.byMethod : undefined;
}

/** What may have been meant by a path that leads nowhere. */
export function routeHint(words: string[]): string {
  const hint = "GET /openapi.json names all paths";
  const [first = "", ...rest] = words.filter((word) => word !== "");
  const meant = otherNames.get(first) ?? (root.words.has(first) ? first : nearest(first, [...root.words.keys()]));
  if (meant === undefined || !findPath([meant, ...rest])) return hint;
  // The rest may be anything: it is not repeated.
  return `did you mean /${meant}${rest.length > 0 ? "/…" : ""}? ${hint}`;
}

/** What the program calls otherwise than the API. */
const otherNames = new Map([
  ["run", "workflows"],
  ["runs", "workflows"],
]);

/** The fields of a request that stand in its path. */
export function pathFields({ pattern }: RouteEntry, words: string[]): Record<string, string> {
  return Object.fromEntries(pattern.flatMap((word, at) => (isField(word) ? [[word.slice(1, -1), words[at]!]] : [])));
}

function newPlace(): Place {
  return { words: new Map(), byMethod: new Map() };
}

function wordIn(place: Place, word: string): Place {
  const known = place.words.get(word) ?? newPlace();
  place.words.set(word, known);
  return known;
}

function isField(word: string): boolean {
  return word.startsWith("{");
}
