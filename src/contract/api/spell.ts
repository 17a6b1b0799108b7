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

export const spellOperations = {
  render: {
    ...readsLocally,
    about: "Renders a spell, by name or path, over data, as a step would.",
    request: z.object({ spell: z.string(), data: json }),
    response: renderedSpell,
    errors: ["unknown_spell", "invalid_template"],
  },
} as const satisfies OperationTable;

export type SpellsApi = ApiOf<typeof spellOperations>;
