import type { GrimoiresApi } from "../../contract/api/grimoire.ts";
import {
  findFile,
  listGrimoires,
  previewRun,
  showGrimoire,
  validateGrimoires,
  type GrimoireParts,
} from "./grimoires.ts";
import type { HistoryParts } from "./history.ts";

export function grimoiresApi(parts: GrimoireParts, history: () => Promise<HistoryParts>): GrimoiresApi {
  return {
    list: async () => ({ grimoires: await listGrimoires(parts) }),
    show: ({ grimoire }) => showGrimoire(parts, grimoire),
    async validate({ grimoire }) {
      const checked = await validateGrimoires(parts, grimoire);
      return { grimoires: checked, valid: checked.every((each) => each.valid) };
    },
    preview: ({ variables = {}, ...request }) => previewRun(parts, { ...request, variables }),
    convert: async ({ grimoire, to }) =>
      (await import("./convert.ts")).convertFile(parts, findFile(parts, grimoire), to),
    history: async (request) => (await import("./history.ts")).addHistory(await history(), request),
    schema: async () => (await import("../../grimoire/definition/json-schema.ts")).grimoireJsonSchema(),
  };
}
