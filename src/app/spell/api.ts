import type { SpellsApi } from "../../contract/api/spell.ts";
import type { Spells } from "./render.ts";

export function spellsApi(spells: Spells): SpellsApi {
  return { render: async ({ spell, data }) => spells.render(spell, data) };
}
