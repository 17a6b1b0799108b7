import type { Json } from "../contract/json.ts";
import { isObject } from "../text/is-object.ts";
import { parseJson } from "../text/parse-json.ts";

export type JsonObject = { [key: string]: Json };
export type RequestId = string | number;

/** What a client sent. Notifications and responses are taken and never answered. */
export type Message =
  | { kind: "request"; id: RequestId; method: string; params: JsonObject }
  | { kind: "silent" }
  | { kind: "invalid"; answer: Answer };

/** A message for the client, with the status that it has over HTTP. */
export interface Answer {
  body: JsonObject;
  status: number;
}

/** The codes of JSON-RPC, and those that MCP added. */
export const errorCode = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** Up to 2025-11-25. */
  unknownResource: -32002,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

export interface RpcError {
  code: number;
  message: string;
  data?: Json;
}

/** A request whose id could not be read has null. */
export function errorAnswer(id: RequestId | null, error: RpcError, status: number): Answer {
  return { body: { jsonrpc: "2.0", id, error: { ...error } }, status };
}

export function resultAnswer(id: RequestId, result: JsonObject): Answer {
  return { body: { jsonrpc: "2.0", id, result }, status: 200 };
}

/** Reads the text of one message. Never throws. */
export function readMessage(text: string): Message {
  const value = parseJson(text) as Json | undefined;
  if (value === undefined) return refused(null, errorCode.parse, "this is not JSON");
  if (Array.isArray(value)) {
    return refused(null, errorCode.invalidRequest, "batches are not taken: send each message by itself");
  }
  if (!isObject(value) || value["jsonrpc"] !== "2.0") {
    return refused(null, errorCode.invalidRequest, 'this is not a message of JSON-RPC: {"jsonrpc": "2.0", …}');
  }
  return classify(value);
}

function classify(value: JsonObject): Message {
  const { id, method, params = {} } = value;
  if (method === undefined && ("result" in value || "error" in value)) return { kind: "silent" };
  if (typeof method !== "string") return refused(null, errorCode.invalidRequest, "method must be a string");
  if (id === undefined) return { kind: "silent" };
  if (!isRequestId(id)) return refused(null, errorCode.invalidRequest, "id must be a string or a whole number");
  if (!isObject(params)) return refused(id, errorCode.invalidParams, "params must be an object");
  return { kind: "request", id, method, params };
}

/** Only what comes back as it was sent can be matched by the client. */
function isRequestId(id: Json): id is RequestId {
  return typeof id === "string" || Number.isSafeInteger(id);
}

function refused(id: RequestId | null, code: number, message: string): Message {
  return { kind: "invalid", answer: errorAnswer(id, { code, message }, 400) };
}
