import type { Json } from "../contract/json.ts";
import { fieldsOf, listOf, textOf } from "./read-fields.ts";

/** A tool's output is a text or a list of blocks, of which some are pictures. */
export function contentText(content: Json | undefined): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map(fieldsOf)
    .map((block) => (typeof block.text === "string" ? block.text : `[${textOf(block.type) ?? "unknown"}]`))
    .join("\n");
}
