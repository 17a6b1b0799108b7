import type { IncomingHttpHeaders } from "node:http";
import { errorAnswer, errorCode, type Answer, type Message } from "./json-rpc.ts";
import { legacyVersions, modernVersion, unsupportedVersion, versionOf } from "./protocol.ts";

type Request = Extract<Message, { kind: "request" }>;

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
  const { params, method } = request;
  const name = method === "resources/read" ? params["uri"] : params["name"];
  if (!["tools/call", "prompts/get", "resources/read"].includes(method) || typeof name !== "string") return undefined;
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
