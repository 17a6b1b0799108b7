import * as z from "zod/mini";
import type { RouteEntry } from "./route-table.ts";
import { ClewError } from "../contract/errors.ts";
import { useSchemaMessages } from "../contract/schema-messages.ts";
import { firstProblem } from "../contract/session-schema.ts";
import { nearest } from "../text/nearest.ts";

useSchemaMessages();

/** What a request says of an operation's fields, from its path, its query or its body. */
export interface RequestFields {
  path: Record<string, string>;
  query: URLSearchParams;
  /** The JSON of a POST; undefined when it has no body. */
  body: unknown;
}

/** The checked request of an operation. Throws a ClewError that names the field. */
export function readRequest({ operation, method }: RouteEntry, { path, query, body }: RequestFields): unknown {
  const { shape } = operation.request as z.ZodMiniObject;
  const inBody = method === "POST";
  if (inBody && query.size > 0) throw wrong("a POST takes its fields in its JSON body, not in the address");
  const given = inBody ? bodyFields(body) : queryFields(query, shape);
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(path, name)) throw wrong(`${name} stands in the path already`);
    if (!Object.hasOwn(shape, name)) throw unknownField(name, Object.keys(shape), path);
  }
  const checked = z.safeParse(operation.request, { ...given, ...path });
  if (!checked.success) throw wrong(firstProblem(checked.error));
  return checked.data;
}

function bodyFields(body: unknown): Record<string, unknown> {
  if (body === undefined) return {};
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw wrong("the body must be a JSON object");
  return body as Record<string, unknown>;
}

/** Texts become what their fields are: numbers, yes or no, lists of a name that is given several times. */
function queryFields(query: URLSearchParams, shape: Record<string, unknown>): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const name of new Set(query.keys())) {
    const texts = query.getAll(name);
    const schema = Object.hasOwn(shape, name) ? innerType(shape[name] as z.ZodMiniType) : undefined;
    if (schema instanceof z.ZodMiniArray) {
      const item = innerType(schema.def.element as z.ZodMiniType);
      fields[name] = texts.map((text) => valueOf(text, item));
    } else if (texts.length > 1) throw wrong(`${name} is given ${texts.length} times, and may be given once`);
    else fields[name] = valueOf(texts[0]!, schema);
  }
  return fields;
}

function valueOf(text: string, schema: z.ZodMiniType | undefined): unknown {
  if (schema instanceof z.ZodMiniNumber) return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
  if (schema instanceof z.ZodMiniBoolean) return text === "true" || (text === "false" ? false : text);
  return text;
}

/** The type of a field that may be absent. */
function innerType(schema: z.ZodMiniType): z.ZodMiniType {
  const { innerType: inner } = schema._zod.def as { innerType?: z.ZodMiniType };
  return inner ? innerType(inner) : schema;
}

function unknownField(name: string, known: string[], path: Record<string, string>): ClewError {
  const names = known.filter((each) => !Object.hasOwn(path, each));
  const suggestion = nearest(name, names);
  const hint = names.length === 0 ? "it takes none" : `there are ${names.join(", ")}`;
  return new ClewError(
    "usage",
    `there is no field ${JSON.stringify(name)}`,
    suggestion === undefined ? hint : `did you mean ${suggestion}?`,
  );
}

function wrong(message: string): ClewError {
  return new ClewError("usage", message, "GET /openapi.json tells what each path takes");
}
