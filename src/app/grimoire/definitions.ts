import type { Json } from "../../contract/grimoire.ts";
import type { Grimoires } from "./grimoires.ts";
import type { Spells } from "../spell/render.ts";

/** What can be asked of grimoires and spells before anything runs, inside a repository or not. */
export interface Definitions {
  grimoires: Grimoires;
  spells: Spells;
  /** The JSON Schema of grimoires, for editors. */
  grimoireSchema(): Promise<Record<string, Json>>;
}
