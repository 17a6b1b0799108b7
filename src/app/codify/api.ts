import type { CodifyApi } from "../../contract/api/codify.ts";
import { checkText } from "./check-text.ts";
import { extract } from "./extract.ts";
import type { CodifyParts } from "./parts.ts";

export function codifyApi(parts: CodifyParts): CodifyApi {
  return {
    extract: ({ sessions, ...form }) => extract(parts, sessions, form),
    check: ({ format, text, before }) => checkText(parts, format, text, before),
    async refine({ sessions, format, name, ...request }, options) {
      const { refine } = await import("./refine.ts");
      return refine(parts, await extract(parts, sessions, { format, name }), request, options?.signal);
    },
  };
}
