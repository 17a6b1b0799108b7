/** Who makes beads and dependencies, by the variables that `bd` reads; undefined when that is unknown. */
export function beadActor(env: Record<string, string | undefined>): string | undefined {
  return env["BEADS_ACTOR"] || env["BD_ACTOR"] || env["USER"] || undefined;
}

/** A claim in a database needs a name. */
export const unknownActor = "clew";
