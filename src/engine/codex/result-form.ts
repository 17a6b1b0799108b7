import type { Json } from "../../contract/json.ts";
import { fieldsOf, listOf, objectIn, textOf } from "../read-fields.ts";
import { parseJson } from "../../text/parse-json.ts";

/**
 * The form of an agent's result. Codex asks the model for it strictly: every property is required and there are no others,
 * so that outputs of any name stand in a list.
 */
export const codexResultSchema: Json = {
  type: "object",
  properties: {
    success: { type: "boolean", description: "false if you could not do what was asked" },
    summary: { type: "string", description: "what you did, or what is missing, in one to three sentences" },
    outputs: {
      type: "array",
      description: "what you were asked to return, by name; empty if nothing",
      items: {
        type: "object",
        properties: {
          name: { type: "string" },
          value: { type: "string", description: 'as JSON: 42, "a text", [1, 2], {"a": 1}' },
        },
        required: ["name", "value"],
        additionalProperties: false,
      },
    },
  },
  required: ["success", "summary", "outputs"],
  additionalProperties: false,
};

/** The result in a message of that form, its outputs by name; undefined when the message has another form. */
export function resultInForm(text: string): Json | undefined {
  const result = objectIn(text);
  if (!result || !Array.isArray(result.outputs)) return undefined;
  const outputs = listOf(result.outputs)
    .map(fieldsOf)
    .flatMap(({ name, value }): [string, Json][] =>
      textOf(name) === undefined ? [] : [[name as string, valueIn(value)]],
    );
  return { ...result, outputs: Object.fromEntries(outputs) };
}

/** A model may forget the quotes of a text. */
function valueIn(value: Json | undefined): Json {
  if (typeof value !== "string") return value ?? null;
  const parsed = parseJson(value) as Json | undefined;
  return parsed === undefined ? value : parsed;
}
