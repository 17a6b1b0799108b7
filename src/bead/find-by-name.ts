import { prefixOf } from "./bead-id.ts";

/**
 * The ids that a short name may mean. `a3f` is `proj-a3f`; else it is the beginning of an id, with or without its
 * prefix. The part of another bead is named in full: `a.1` is never `proj-a.10`, and `a` is never `proj-a.1`. Capital letters
 * count only where several ids differ by nothing else.
 */
export function idsMatching(name: string, ids: readonly string[]): string[] {
  if (name === "") return [];
  const exactIds = idsWithName(name, ids);
  if (exactIds.length > 0) return exactIds;
  return exactOrFolded(name, ids, (id, text) => !isPart(id) && (id.startsWith(text) || shortOf(id).startsWith(text)));
}

/** The ids that are this name, with or without their prefix. */
export function idsWithName(name: string, ids: readonly string[]): string[] {
  return name === "" ? [] : exactOrFolded(name, ids, (id, text) => id === text || shortOf(id) === text);
}

/** The ids that fit letter by letter; when none does, those that fit but for capital letters. */
function exactOrFolded(name: string, ids: readonly string[], fits: (id: string, name: string) => boolean): string[] {
  const exact = ids.filter((id) => fits(id, name));
  if (exact.length > 0) return exact;
  const folded = name.toLowerCase();
  return ids.filter((id) => fits(id.toLowerCase(), folded));
}

function shortOf(id: string): string {
  return id.slice(prefixOf(id).length).replace(/^-/, "");
}

function isPart(id: string): boolean {
  return shortOf(id).includes(".");
}
