import type { GrimoiresApi } from "../../contract/api/grimoire.ts";
import type { Definitions } from "./definitions.ts";

export function grimoiresApi(definitions: Definitions): GrimoiresApi {
  const { grimoires } = definitions;
  return {
    list: async () => ({ grimoires: await grimoires.list() }),
    show: ({ grimoire }) => grimoires.show(grimoire),
    async validate({ grimoire }) {
      const checked = await grimoires.validate(grimoire);
      return { grimoires: checked, valid: checked.every((each) => each.valid) };
    },
    preview: ({ bead, ...request }) => grimoires.preview({ beadId: bead, ...request }),
    schema: () => definitions.grimoireSchema(),
  };
}
