import type { SpellsApi } from "../../contract/api/spell.ts";
import type { DefinitionFiles } from "../grimoire/ports.ts";
import { renderSpell } from "./render.ts";

export function spellsApi(files: DefinitionFiles): SpellsApi {
  return { render: async ({ spell, data }) => renderSpell(files, spell, data) };
}
