import type * as z from "zod/mini";
import { commonErrors } from "../../contract/api/operation.ts";
import { ClewError, type ErrorCode } from "../../contract/errors.ts";
import { routeEntries, type RouteEntry } from "../route-table.ts";
import { componentSchemas, requestName, responseName } from "./schemas.ts";

type JsonObject = Record<string, unknown>;

const tags: Record<string, string> = {
  runs: "Runs of grimoires, which this API calls workflows.",
  sessions: "The record of what agents did.",
  inbox: "What waits for a person.",
  beads: "Tasks.",
  grimoires: "Workflows as they are written.",
  search: "Full text over all sessions.",
  worktrees: "Checkouts of runs.",
  engines: "Agent programs on this machine.",
  imports: "Sessions that other programs left.",
  work: "Work sessions.",
  repository: "The repository.",
  status: "How things stand.",
  config: "Settings.",
  daemon: "The daemon itself.",
};

/** What any request may be refused for, beside what its operation names. */
const doorErrors: ErrorCode[] = ["unauthorized", "too_large", "too_many_requests"];
/** What a request with a body may. */
const bodyErrors: ErrorCode[] = ["wrong_content_type"];

const tagHeader = { ETag: { description: "Of this answer.", schema: { type: "string" } } };
const unchanged = { 304: { description: "The answer has a tag of If-None-Match: it did not change." } };
const knownTags = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "ETags of answers that are known.",
  schema: { type: "string" },
};

/** The OpenAPI 3.1 document of the daemon. */
export function apiDocument(version: string): JsonObject {
  const schemas = componentSchemas();
  const paths: Record<string, JsonObject> = {
    "/openapi.json": { get: documentOperation("openapi", "This document.", "application/json", { type: "object" }) },
    "/metrics": { get: documentOperation("metrics", "Figures for Prometheus.", "text/plain", { type: "string" }) },
    "/hooks/{event}": { post: hookOperation() },
  };
  for (const entry of routeEntries) {
    const path = `/${entry.pattern.join("/")}`;
    (paths[path] ??= {})[entry.method.toLowerCase()] = operationObject(entry, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Clew",
      version,
      description: "The daemon of one repository: runs, sessions, beads, and what waits for a person.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:{port}", variables: { port: { default: "4780" } } }],
    security: [{ token: [] }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "clew daemon token makes one." },
      },
      schemas: usedSchemas(paths, schemas),
    },
  };
}

/** Requests stand in their operations; what only they need is not told twice. */
function usedSchemas(paths: JsonObject, schemas: Record<string, JsonObject>): Record<string, JsonObject> {
  const used = new Set(referencesIn(paths));
  // What is added while this goes through the set is gone through as well.
  for (const name of used) for (const each of referencesIn(schemas[name]!)) used.add(each);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) =>
    key === "$ref" && typeof each === "string" ? [each.slice(each.lastIndexOf("/") + 1)] : referencesIn(each),
  );
}

function documentOperation(operationId: string, summary: string, type: string, schema: JsonObject): JsonObject {
  return {
    operationId,
    summary,
    tags: ["daemon"],
    parameters: [knownTags],
    responses: {
      200: { description: "As asked.", headers: tagHeader, content: { [type]: { schema } } },
      ...unchanged,
      ...failures([]),
    },
  };
}

/** What engines call that the user starts: `clew hooks install --http` has them do so. */
function hookOperation(): JsonObject {
  const anyObject = json({ type: "object" });
  return {
    operationId: "hook",
    summary: "Keeps what an engine tells a hook, and answers it in the engine's own words.",
    description: "A token that clew daemon token --hooks makes is enough. An empty answer says nothing.",
    tags: ["daemon"],
    parameters: [
      { name: "event", in: "path", required: true, description: "Such as pre-tool-use.", schema: { type: "string" } },
      { name: "engine", in: "query", required: false, description: "Which engine it is.", schema: { type: "string" } },
    ],
    requestBody: { required: true, content: anyObject },
    responses: {
      200: { description: "It is kept.", content: { ...anyObject, "text/plain": { schema: { type: "string" } } } },
      ...failures(["wrong_content_type"]),
    },
  };
}

function operationObject(entry: RouteEntry, schemas: Record<string, JsonObject>): JsonObject {
  const { name, operation, method, resource } = entry;
  const body = bodyOf(entry, schemas);
  return {
    operationId: name.replace(".", "_"),
    summary: operation.about,
    ...(operation.effect === "decides" && { description: "Takes a person's token, on the socket, too." }),
    tags: [resource],
    parameters: [...fieldParameters(entry, schemas), ...headerParameters(entry)],
    // Also where it may be {}: without the type of JSON nothing is done.
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      200: {
        description: method === "GET" ? "As asked." : "Done.",
        ...(isTagged(entry) && { headers: tagHeader }),
        content: contentOf(entry),
      },
      ...(isTagged(entry) && unchanged),
      ...failures([...operation.errors, ...(method === "POST" ? bodyErrors : [])]),
    },
  };
}

/** Fields that stand in the path, or in the query. */
function fieldParameters({ name, method, pattern }: RouteEntry, schemas: Record<string, JsonObject>): JsonObject[] {
  const request = requestSchema(name, schemas);
  const required = (request["required"] ?? []) as string[];
  const inPath = pattern.filter((word) => word.startsWith("{")).map((word) => word.slice(1, -1));
  const properties = (request["properties"] ?? {}) as Record<string, JsonObject>;
  return Object.entries(properties).flatMap(([field, schema]) => {
    if (inPath.includes(field)) return [{ name: field, in: "path", required: true, schema }];
    if (method === "POST") return [];
    return [{ name: field, in: "query", required: required.includes(field), schema }];
  });
}

/** What an operation is asked with. Several may be asked with the same. */
function requestSchema(name: string, schemas: Record<string, JsonObject>): JsonObject {
  const schema = schemas[requestName(name)]!;
  const other = schema["$ref"] as string | undefined;
  return other === undefined ? schema : schemas[other.slice(other.lastIndexOf("/") + 1)]!;
}

function headerParameters({ operation }: RouteEntry): JsonObject[] {
  if (operation.effect !== "reads") {
    const description = "The same key twice does it once, for a day.";
    return [{ name: "Idempotency-Key", in: "header", required: false, description, schema: { type: "string" } }];
  }
  if (!operation.streams) return [knownTags];
  const description = "The id of the last event that came: what follows it is sent.";
  return [{ name: "Last-Event-ID", in: "header", required: false, description, schema: { type: "string" } }];
}

/** Whether its answers are not sent again while they do not change. */
function isTagged({ method, operation }: RouteEntry): boolean {
  return method === "GET" && !operation.streams;
}

/** The fields of a POST that do not stand in its path. */
function bodyOf({ name, method, pattern }: RouteEntry, schemas: Record<string, JsonObject>): JsonObject | undefined {
  if (method !== "POST") return undefined;
  const {
    properties = {},
    required = [],
    ...rest
  } = requestSchema(name, schemas) as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  const isInBody = (field: string): boolean => !pattern.includes(`{${field}}`);
  const needed = required.filter(isInBody);
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([field]) => isInBody(field))),
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
}

function contentOf({ name, operation }: RouteEntry): JsonObject {
  const schema = { $ref: `#/components/schemas/${responseName(name)}` };
  if (!operation.streams) return { "application/json": { schema } };
  const items = (description: string): JsonObject => ({
    schema: { type: "string", description, contentMediaType: "application/json", contentSchema: schema },
  });
  return {
    "text/event-stream": items(`Events whose data is one JSON value of ${responseName(name)} each.`),
    "application/x-ndjson": items(`Lines of one JSON value of ${responseName(name)} each.`),
  };
}

function failures(errors: readonly ErrorCode[]): JsonObject {
  const byStatus = new Map<number, Set<string>>();
  for (const code of [...errors, ...commonErrors, ...doorErrors]) {
    const status = new ClewError(code, "", "").httpStatus;
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  const schema = { $ref: "#/components/schemas/Error" };
  return Object.fromEntries(
    [...byStatus]
      .sort(([one], [other]) => one - other)
      .map(([status, codes]) => [status, { description: `Refused: ${[...codes].join(", ")}.`, content: json(schema) }]),
  );
}

function json(schema: z.core.JSONSchema.BaseSchema | JsonObject): JsonObject {
  return { "application/json": { schema } };
}
