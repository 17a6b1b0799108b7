import type { SpellsApi } from "../../contract/api/spell.ts";
import type { DefinitionFiles } from "../grimoire/ports.ts";
import { listSpells } from "./list.ts";
import { renderSpell } from "./render.ts";

export function spellsApi(files: DefinitionFiles): SpellsApi {
  return {
    list: async () => ({ spells: listSpells(files) }),
    render: async ({ spell, data }) => renderSpell(files, spell, data),
  };
}
