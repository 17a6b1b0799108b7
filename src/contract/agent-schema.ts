import * as z from "zod/mini";
import { permissionLevels } from "./engine-abilities.ts";
import { engineName } from "./run.ts";
import { useSchemaMessages } from "./schema-messages.ts";
import { durationField, filledText } from "./yaml-fields.ts";

useSchemaMessages();

// The frontmatter of an agent's file, as it is written. Every message completes "FIELD: …".

const wholeNumber = { error: "must be a whole number of at least 1" };
const count = () => z.int(wholeNumber).check(z.minimum(1, wholeNumber), z.maximum(1e12, wholeNumber));

const dollars = { error: "must be an amount in US dollars, such as 2.50" };

export const agentSchema = z.strictObject({
  engine: z.exactOptional(
    z
      .string({ error: "must be text" })
      .check(z.regex(engineName, { error: "must be the name of an engine, such as claude" })),
  ),
  model: z.exactOptional(filledText()),
  level: z.exactOptional(z.enum(permissionLevels)),
  tools: z.exactOptional(z.array(filledText(), { error: "must be a list of names of tools" }).check(z.maxLength(100))),
  max_cost: z.exactOptional(z.number(dollars).check(z.gt(0, dollars), z.maximum(1e6, dollars))),
  max_tokens: z.exactOptional(count()),
  max_rounds: z.exactOptional(count()),
  max_time: z.exactOptional(durationField()),
});
export type AgentYaml = z.infer<typeof agentSchema>;

export const agentKeys = Object.keys(agentSchema.shape);
