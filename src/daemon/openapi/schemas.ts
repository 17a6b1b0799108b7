import * as z from "zod/mini";
import { bead } from "../../contract/api/bead-shapes.ts";
import { anyInboxItem } from "../../contract/api/inbox.ts";
import { listedRun, numberedEvent } from "../../contract/api/run.ts";
import { listedSession } from "../../contract/api/session-list.ts";
import { entry, phase } from "../../contract/api/session-document.ts";
import { errorCodes } from "../../contract/errors.ts";
import { routeEntries } from "../route-table.ts";

type JsonSchema = Record<string, unknown>;

/** Shapes that clients meet in several places, by the names that they get there. */
const shared = {
  Bead: bead,
  Run: listedRun,
  RunEvent: numberedEvent,
  Session: listedSession,
  Phase: phase,
  Entry: entry,
  InboxItem: anyInboxItem,
};

/** The error that every operation may answer with. */
const failure = z.strictObject({
  error: z.strictObject({ code: z.enum(errorCodes), message: z.string(), hint: z.string() }),
});

const base = "#/components/schemas/";

/** The component that holds an operation's response, or an item of its stream. */
export function responseName(name: string): string {
  return `${pascal(name)}Response`;
}

/** The component that holds what an operation is asked with. */
export function requestName(name: string): string {
  return `${pascal(name)}Request`;
}

/** All schemas of the API, each by its name. */
export function componentSchemas(): Record<string, JsonSchema> {
  return {
    ...schemasOf(
      Object.fromEntries(routeEntries.map(({ name, operation }) => [requestName(name), operation.request])),
      "input",
    ),
    ...schemasOf(
      {
        ...shared,
        Error: failure,
        ...Object.fromEntries(routeEntries.map(({ name, operation }) => [responseName(name), operation.response])),
      },
      "output",
    ),
  };
}

function schemasOf(named: Record<string, z.ZodMiniType>, io: "input" | "output"): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  const again: [string, string][] = [];
  const names = new Map<z.ZodMiniType, string>();
  for (const [id, schema] of Object.entries(named)) {
    const first = names.get(schema);
    if (first === undefined) registry.add(schema, { id });
    else again.push([id, first]);
    names.set(schema, first ?? id);
  }
  const prefix = io === "input" ? "Given" : "Told";
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => `${base}${id}`, unrepresentable: "any" });
  const { __shared: definitions, ...own } = schemas as Record<string, JsonSchema>;
  const lifted = (definitions?.["$defs"] ?? {}) as Record<string, JsonSchema>;
  const all = {
    ...own,
    ...Object.fromEntries(Object.entries(lifted).map(([id, schema]) => [`${prefix}${id}`, schema])),
  };
  return Object.fromEntries([
    ...Object.entries(all).map(([id, schema]) => [id, cleaned(schema, prefix) as JsonSchema]),
    ...again.map(([id, first]) => [id, { $ref: `${base}${first}` }]),
  ]);
}

/** Without what only stands alone, and with references that lead to components. */
function cleaned(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((each) => cleaned(each, prefix));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== "$schema" && key !== "$id" && key !== "~standard")
      .map(([key, each]) => [
        key,
        key === "$ref" ? String(each).replace(/^.*__shared#\/\$defs\//, `${base}${prefix}`) : cleaned(each, prefix),
      ]),
  );
}

function pascal(name: string): string {
  return name
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
