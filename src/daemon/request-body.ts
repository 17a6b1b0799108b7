import type { IncomingMessage } from "node:http";
import { ClewError } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import { isNestedDeeperThan, maxDepth } from "../http/depth.ts";
import { contentProblem } from "../http/json-body.ts";
import { readBody } from "../http/read-body.ts";
import type { RouteEntry } from "./route-table.ts";

const maxBodyBytes = 16 * 1024 * 1024;

/** The body of a POST; undefined where there is none. Throws when there is one that may not be. */
export async function bodyText(
  request: IncomingMessage,
  { method }: Pick<RouteEntry, "method">,
): Promise<string | undefined> {
  const { headers } = request;
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (method !== "POST") {
    if (hasBody) throw new ClewError("usage", `${method} takes no body`, "put its fields into the address");
    return undefined;
  }
  // Also without a body: a page in a browser cannot send this type by itself.
  const problem = contentProblem(headers);
  if (problem !== undefined)
    throw new ClewError("wrong_content_type", problem, "send JSON, {} where there is nothing to say");
  if (!hasBody) return undefined;
  const body = await readBody(request, maxBodyBytes);
  if ("text" in body) return body.text;
  if (body.problem === "not UTF-8") throw new ClewError("usage", "the body is not UTF-8", "send JSON in UTF-8");
  throw new ClewError("too_large", `a body has at most ${maxBodyBytes} bytes`, "send less at once");
}

/** What a body says; undefined where there is none. Throws when it is no JSON, or too deep for what goes through it. */
export function parsedBody(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  const value = jsonOf(text);
  if (!isNestedDeeperThan(value, maxDepth)) return value;
  throw new ClewError("usage", `the body is nested more than ${maxDepth} levels deep`, "make it flatter");
}

function jsonOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ClewError("usage", `the body is not JSON: ${message}`, "send one JSON object", { cause });
  }
}
