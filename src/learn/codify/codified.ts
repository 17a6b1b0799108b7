import type { Grimoire } from "../../contract/grimoire.ts";

/** A workflow that was made of what sessions did. */
export interface Codified {
  grimoire: Grimoire;
  /** By the name of a step, the channel that its phase was in: grimoires have none, markup has. */
  channels: ReadonlyMap<string, string>;
  /** What could not be told, left out or cut, for people. */
  notes: string[];
}
