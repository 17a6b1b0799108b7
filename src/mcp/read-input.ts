import * as z from "zod/mini";
import { ClewError } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import { isNestedDeeperThan, maxDepth } from "../http/depth.ts";
import { useSchemaMessages } from "../contract/schema-messages.ts";
import { firstProblem } from "../contract/session-schema.ts";
import { isObject } from "../text/is-object.ts";
import { nearest } from "../text/nearest.ts";

useSchemaMessages();

/** The checked arguments of a tool. Throws a ClewError that names the field. */
export function readInput(tool: string, input: z.ZodMiniType, args: Json): Record<string, unknown> {
  if (!isObject(args)) throw wrong(tool, "the arguments must be a JSON object");
  if (isNestedDeeperThan(args, maxDepth))
    throw wrong(tool, `the arguments are nested more than ${maxDepth} levels deep`);
  const known = input instanceof z.ZodMiniObject ? Object.keys(input.shape) : Object.keys(args);
  const unknown = Object.keys(args).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const suggestion = nearest(unknown, known);
    const names = known.length === 0 ? "it takes none" : `there are ${known.join(", ")}`;
    const hint = suggestion === undefined ? names : `did you mean ${suggestion}?`;
    throw new ClewError("usage", `${tool} has no argument ${JSON.stringify(unknown)}`, hint);
  }
  const checked = z.safeParse(input, args);
  if (!checked.success) throw wrong(tool, firstProblem(checked.error));
  return checked.data as Record<string, unknown>;
}

function wrong(tool: string, message: string): ClewError {
  return new ClewError("usage", message, `tools/list tells what ${tool} takes`);
}
