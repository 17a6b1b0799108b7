import * as z from "zod/mini";
import type { JsonObject } from "./json-rpc.ts";
import { fieldDescriptions } from "./tool-table.ts";
import { isObject } from "../text/is-object.ts";

/** The JSON Schema of a tool's input. Fields that several tools have are described in one place, but for those that are a tool's `own`. */
export function inputSchemaOf(input: z.ZodMiniType, own: Record<string, string> = {}): JsonObject {
  const {
    $schema: _,
    "~standard": __,
    ...schema
  } = z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
  }) as JsonObject;
  const { properties } = schema;
  if (!isObject(properties)) return { ...schema, additionalProperties: false };
  const described = Object.entries(properties).map(([name, field]) => {
    const description = own[name] ?? fieldDescriptions[name];
    return [name, isObject(field) && description !== undefined ? { ...field, description } : field];
  });
  return { ...schema, properties: Object.fromEntries(described) as JsonObject, additionalProperties: false };
}
