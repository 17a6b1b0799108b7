import type { IncomingHttpHeaders } from "node:http";
import { contentProblem } from "../http/json-body.ts";
import { errorAnswer, errorCode, type Answer, type Message } from "./json-rpc.ts";
import { legacyVersions, modernVersion, unsupportedVersion, versionOf } from "./protocol.ts";

type Request = Extract<Message, { kind: "request" }>;

/** Why a request is refused before its body is read. */
export interface Refusal {
  status: number;
  message: string;
  headers?: Record<string, string>;
}

interface Head {
  method?: string | undefined;
  headers: IncomingHttpHeaders;
}

/**
 * Why this is no request of an agent's client: a page in a browser, which sends an Origin or was led here by another
 * name, must reach nothing.
 */
export function foreignRefusal({ headers }: Head, host: string): Refusal | undefined {
  if (headers.host !== host) return { status: 403, message: `the Host must be ${host}` };
  if (headers.origin !== undefined) return { status: 403, message: "pages in a browser may not ask" };
  return undefined;
}

/** Why a request of one who has the token is refused. */
export function formRefusal({ method, headers }: Head): Refusal | undefined {
  if (method !== "POST") return { status: 405, message: "only POST is taken here", headers: { allow: "POST" } };
  const problem = contentProblem(headers);
  return problem === undefined ? undefined : { status: 415, message: problem };
}

/** Why the headers do not go with the message that they came with. What stands between may read only them. */
export function headerProblem(request: Request, headers: IncomingHttpHeaders): Answer | undefined {
  const version = headers["mcp-protocol-version"];
  const bodyVersion = versionOf(request);
  if (bodyVersion !== undefined) {
    return (
      mismatch(request, "MCP-Protocol-Version", version, bodyVersion) ??
      mismatch(request, "Mcp-Method", headers["mcp-method"], request.method) ??
      nameMismatch(request, headers["mcp-name"])
    );
  }
  const isKnown = version === undefined || legacyVersions.some((each) => each === version);
  if (isKnown || request.method === "initialize") return undefined;
  if (version !== modernVersion) return unsupportedVersion(request.id, String(version));
  const message = `requests of version ${version} say so in their _meta, too`;
  return errorAnswer(request.id, { code: errorCode.invalidParams, message }, 400);
}

function nameMismatch(request: Request, header: string | string[] | undefined): Answer | undefined {
  const { name } = request.params;
  if (request.method !== "tools/call" || typeof name !== "string") return undefined;
  return mismatch(request, "Mcp-Name", decoded(header), name);
}

/** A name that is not plain ASCII comes as `=?base64?…?=`. */
function decoded(header: string | string[] | undefined): string | string[] | undefined {
  const base64 = typeof header === "string" ? /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(header)?.[1] : undefined;
  return base64 === undefined ? header : Buffer.from(base64, "base64").toString("utf8");
}

function mismatch(
  { id }: Request,
  name: string,
  header: string | string[] | undefined,
  body: unknown,
): Answer | undefined {
  if (header === body) return undefined;
  const what = header === undefined ? "is missing" : "does not say what the body says";
  return errorAnswer(id, { code: errorCode.headerMismatch, message: `the header ${name} ${what}` }, 400);
}
