import type { GrimoiresApi } from "../../contract/api/grimoire.ts";
import { listGrimoires, previewRun, showGrimoire, validateGrimoires, type GrimoireParts } from "./grimoires.ts";

export function grimoiresApi(parts: GrimoireParts): GrimoiresApi {
  return {
    list: async () => ({ grimoires: await listGrimoires(parts) }),
    show: ({ grimoire }) => showGrimoire(parts, grimoire),
    async validate({ grimoire }) {
      const checked = await validateGrimoires(parts, grimoire);
      return { grimoires: checked, valid: checked.every((each) => each.valid) };
    },
    preview: ({ variables = {}, ...request }) => previewRun(parts, { ...request, variables }),
    schema: async () => (await import("../../grimoire/definition/json-schema.ts")).grimoireJsonSchema(),
  };
}
