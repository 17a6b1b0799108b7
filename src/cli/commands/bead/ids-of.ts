import type { CliContext } from "../../context.ts";

/** The ids of the beads that are named, each once. Throws when one of them cannot be told. */
export async function idsOf({ api }: CliContext, names: string[]): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const name of names) ids.add((await api.beads.find({ bead: name })).id);
  return ids;
}
