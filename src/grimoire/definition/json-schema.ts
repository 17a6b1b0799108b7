import * as z from "zod/mini";
import type { Json } from "../../contract/grimoire.ts";
import { about, grimoireSchema } from "../../contract/grimoire-schema.ts";

/** The JSON Schema of a grimoire's YAML, for editors. In a file of its own, because only `clew grimoire schema` needs it. */
export function grimoireJsonSchema(): Record<string, Json> {
  const { $schema, ...schema } = z.toJSONSchema(grimoireSchema, { metadata: about, io: "input" });
  return { $schema, title: "Clew grimoire", ...schema } as object as Record<string, Json>;
}
