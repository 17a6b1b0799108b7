import * as z from "zod/mini";
import { json } from "../json.ts";
import { readsLocally, type ApiOf, type OperationTable } from "./operation.ts";

const renderedSpell = z.object({
  file: z.string(),
  origin: z.string(),
  partials: z.array(z.string()),
  text: z.string(),
});
export type RenderedSpell = z.infer<typeof renderedSpell>;

/** A spell as lists show it. */
const listedSpell = z.object({
  name: z.string(),
  origin: z.string(),
  file: z.string(),
  /** Its first line, without the marks of a heading. */
  about: z.string(),
  /** What its template asks for; `required` where nothing copes with a missing value. */
  arguments: z.array(z.object({ name: z.string(), required: z.boolean() })),
  /** Why it cannot be rendered. */
  problem: z.exactOptional(z.string()),
});
export type ListedSpell = z.infer<typeof listedSpell>;

export const spellOperations = {
  list: {
    ...readsLocally,
    about: "The spells of this repository and the built-in ones, with what they ask for.",
    request: z.strictObject({}),
    response: z.object({ spells: z.array(listedSpell) }),
    errors: [],
  },
  render: {
    ...readsLocally,
    about: "Renders a spell, by name or path, over data, as a step would.",
    request: z.strictObject({ spell: z.string(), data: json }),
    response: renderedSpell,
    errors: ["unknown_spell", "invalid_template"],
  },
} as const satisfies OperationTable;

export type SpellsApi = ApiOf<typeof spellOperations>;
