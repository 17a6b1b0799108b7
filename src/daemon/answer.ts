import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { ClewError } from "../contract/errors.ts";

/** An answer, whole. */
export interface Answer {
  status: number;
  type: string;
  text: string;
  headers?: Record<string, string>;
}

const json = "application/json; charset=utf-8";

export function jsonAnswer(value: unknown, status = 200): Answer {
  return { status, type: json, text: JSON.stringify(value) };
}

/** A path that takes other methods. */
export class WrongMethod extends ClewError {
  readonly methods: string[];

  constructor(path: string, methods: string[]) {
    super("wrong_method", `${path} takes ${methods.join(" or ")}`, "GET /openapi.json tells more");
    this.methods = methods;
  }
}

/** What is told of an error may repeat what was sent: it is redacted. */
export function errorAnswer(error: ClewError, redact: (text: string) => string): Answer {
  const { code, message, hint } = error;
  const told = { error: { code, message: redact(message), hint: redact(hint) } };
  const answer = jsonAnswer(told, error.httpStatus);
  if (error.code === "unauthorized") return { ...answer, headers: { "www-authenticate": "Bearer" } };
  if (error instanceof WrongMethod) return { ...answer, headers: { allow: error.methods.join(", ") } };
  if (error.code === "too_many_requests") return { ...answer, headers: { "retry-after": "1" } };
  return answer;
}

/** A ClewError with a person's way out, also of what was not expected. */
export function asClewError(error: unknown, explain: (error: unknown) => unknown): ClewError {
  const explained = explain(error);
  if (explained instanceof ClewError) return explained;
  return new ClewError("internal", "something went wrong that was not expected", "the daemon's log tells more", {
    cause: error,
  });
}

/** How long a client may take to read an answer. */
const readMs = 60_000;

/** Sends an answer. What was read and did not change since is not sent again. */
export function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  // One whose connection has gone before its turn came is never closed: it must not keep a daemon that ends.
  const unread = setTimeout(() => response.destroy(), readMs).unref();
  response.once("close", () => clearTimeout(unread));
  const { status, type, text, headers } = answer;
  const isRead = request.method === "GET" || request.method === "HEAD";
  const tag = isRead && status === 200 ? etagOf(text) : undefined;
  const common = {
    "cache-control": tag ? "no-cache, private" : "no-store",
    "x-content-type-options": "nosniff",
    ...headers,
  };
  if (tag && hasTag(request.headers["if-none-match"], tag)) {
    response.writeHead(304, { ...common, etag: tag }).end();
    return;
  }
  response
    .writeHead(status, {
      ...common,
      "content-type": type,
      "content-length": Buffer.byteLength(text),
      ...(tag && { etag: tag }),
    })
    .end(text);
}

function etagOf(text: string): string {
  return `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
}

/** `*` means any. Whether a tag is weak does not matter here: RFC 9110, 13.1.2. */
function hasTag(header: string | undefined, tag: string): boolean {
  return (header ?? "").split(",").some((each) => {
    const given = each.trim();
    return given === "*" || given.replace(/^W\//, "") === tag;
  });
}
