import type { CodifyApi } from "../../contract/api/codify.ts";
import { checkText } from "./check-text.ts";
import { extract } from "./extract.ts";
import type { CodifyParts } from "./parts.ts";

export function codifyApi(parts: CodifyParts): CodifyApi {
  return {
    extract: ({ sessions, format = "grimoire" }) => extract(parts, sessions, format),
    check: ({ format, text }) => checkText(parts, format, text),
    async refine({ sessions, format = "grimoire", ...request }, options) {
      const { refine } = await import("./refine.ts");
      return refine(parts, await extract(parts, sessions, format), request, options?.signal);
    },
  };
}
