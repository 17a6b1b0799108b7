import { isObject } from "./wire.ts";
import type { IncomingMessage } from "node:http";
import type { Turn } from "./script.ts";
import type { Json } from "./wire.ts";

export interface RecordedRequest {
  readonly method: string;
  /** Without the query, which may hold a key. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Json;
  /** The turn that answered it. */
  turn?: Turn;
  /** What it brought since the last answer: a message, results of tools. */
  news?: string;
}

const secretHeaders = new Set(["authorization", "x-api-key", "x-goog-api-key", "cookie", "proxy-authorization"]);
/** Far more than any engine sends. */
const bodyLimit = 64 * 1024 * 1024;

/** Throws when the body is too long; a body that is not JSON is kept as text. */
export async function readRequest(request: IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw new Error(`a request of more than ${bodyLimit} bytes`);
    chunks.push(chunk);
  }
  const headers = Object.entries(request.headers).filter(([name]) => !secretHeaders.has(name));
  return {
    method: request.method ?? "",
    path: new URL(request.url ?? "/", "http://model").pathname,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    body: parse(Buffer.concat(chunks).toString("utf8")),
  };
}

function parse(source: string): Json {
  try {
    const value: unknown = JSON.parse(source);
    return isObject(value) ? value : { value };
  } catch {
    return { text: source };
  }
}
