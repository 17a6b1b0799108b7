import { prefixOf } from "./bead-id.ts";

/** Fewer letters are a slip of the pen rather than a name. */
const fewestLetters = 2;

/**
 * The ids that a short name may mean. `a3f` is `proj-a3f`; else it is the beginning of an id, with or without its
 * prefix. The part of another bead is named in full: `a.1` is never `proj-a.10`, and `a` is never `proj-a.1`.
 */
export function idsNamed(name: string, ids: readonly string[]): string[] {
  const whole = idsCalled(name, ids);
  if (whole.length > 0 || name.length < fewestLetters) return whole;
  return ids.filter((id) => !isPart(id) && (id.startsWith(name) || shortOf(id).startsWith(name)));
}

/** The ids that are this name, with or without their prefix. */
export function idsCalled(name: string, ids: readonly string[]): string[] {
  return name === "" ? [] : ids.filter((id) => id === name || shortOf(id) === name);
}

function shortOf(id: string): string {
  return id.slice(prefixOf(id).length).replace(/^-/, "");
}

function isPart(id: string): boolean {
  return shortOf(id).includes(".");
}
