import { prefixOf } from "./bead-id.ts";

/**
 * The ids that a short name may mean. `a3f` is `proj-a3f`, and no other although `proj-a3f.1` begins so too; else the
 * beginning of an id, with or without its prefix.
 */
export function idsNamed(name: string, ids: readonly string[]): string[] {
  const short = (id: string): string => id.slice(prefixOf(id).length).replace(/^-/, "");
  const whole = ids.filter((id) => id === name || short(id) === name);
  if (whole.length > 0 || name === "") return whole;
  return ids.filter((id) => id.startsWith(name) || short(id).startsWith(name));
}
