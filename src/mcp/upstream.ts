import { request as httpRequest, type IncomingMessage } from "node:http";
import { mcpVariables } from "../contract/mcp.ts";
import type { Json } from "../contract/json.ts";
import { isObject } from "../text/is-object.ts";
import type { JsonObject } from "./json-rpc.ts";
import { maxMessageBytes } from "./endpoint.ts";
import { metaKey, modernVersion } from "./protocol.ts";
import { readBody } from "../http/read-body.ts";
import { parseJson } from "../text/parse-json.ts";

/** Where the results of the agent go below which this process runs. */
export interface Upstream {
  url: string;
  token: string;
  /** How long it may take to answer. */
  waitMs?: number;
}

const defaultWaitMs = 10_000;

/**
 * The upstream that Clew named in the environment. Undefined when it named none; a text when what stands there can be none:
 * a token is sent to this machine alone.
 */
export function upstreamIn(env: Record<string, string | undefined>): Upstream | string | undefined {
  const url = env[mcpVariables.url];
  const token = env[mcpVariables.token];
  if (!url && !token) return undefined;
  if (!url || !token) return `only one of ${mcpVariables.url} and ${mcpVariables.token} is set`;
  if (!/^http:\/\/127\.0\.0\.1:[0-9]{1,5}\/[\w/-]{0,200}$/.test(url)) {
    return `${mcpVariables.url} is no address of Clew's on this machine (http://127.0.0.1:PORT/…)`;
  }
  if (!/^[\w-]{1,200}$/.test(token)) return `${mcpVariables.token} is no token of Clew's`;
  return { url, token };
}

/** Asks the upstream. Rejects with an Error that says what is wrong, within a few seconds. */
export async function askUpstream(upstream: Upstream, method: string, params: JsonObject): Promise<JsonObject> {
  const meta = { [metaKey.version]: modernVersion, [metaKey.capabilities]: {} };
  const message = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } };
  const { status, text } = await post(upstream, JSON.stringify(message), {
    "mcp-protocol-version": modernVersion,
    "mcp-method": method,
    ...(typeof params["name"] === "string" && { "mcp-name": encoded(params["name"]) }),
  });
  const answer = parsed(text);
  if (isObject(answer?.["result"])) return answer["result"];
  const error = answer?.["error"];
  const said = isObject(error) && typeof error["message"] === "string" ? error["message"] : `HTTP ${status}`;
  throw new Error(said);
}

/** Plain ASCII as it is, anything else as the protocol says. */
function encoded(name: string): string {
  return /^[!-~]+$/.test(name) ? name : `=?base64?${Buffer.from(name, "utf8").toString("base64")}?=`;
}

function parsed(text: string): JsonObject | undefined {
  const value = parseJson(text) as Json | undefined;
  return isObject(value) ? value : undefined;
}

async function post(
  { url, token, waitMs = defaultWaitMs }: Upstream,
  body: string,
  headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      method: "POST",
      agent: false,
      signal: AbortSignal.timeout(waitMs),
      headers: { ...headers, authorization: `Bearer ${token}`, "content-type": "application/json" },
    };
    const request = httpRequest(url, options, resolve);
    request.on("error", (cause) => reject(new Error(reason(cause), { cause })));
    request.end(body);
  });
  const read = await readBody(response, maxMessageBytes);
  if ("problem" in read) throw new Error(`its answer is ${read.problem}`);
  return { status: response.statusCode ?? 0, text: read.text };
}

function reason(error: Error): string {
  return error.name === "AbortError" || error.name === "TimeoutError" ? "it does not answer" : error.message;
}
