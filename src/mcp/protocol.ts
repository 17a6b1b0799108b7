import {
  errorAnswer,
  errorCode,
  resultAnswer,
  type Answer,
  type JsonObject,
  type Message,
  type RequestId,
} from "./json-rpc.ts";
import { isObject } from "../text/is-object.ts";
import { capabilitiesOf, findMethod } from "./methods.ts";
import { uncached, type Cache } from "./cache.ts";
import type { Offers } from "./offers.ts";

/** Each request of this version says which one it speaks: nothing is remembered between two. */
export const modernVersion = "2026-07-28";
/** These begin with `initialize`. The first is offered to a client that asks for one that is unknown here. */
export const legacyVersions = ["2025-11-25", "2025-06-18"] as const;
const supportedVersions = [modernVersion, ...legacyVersions];

export const metaKey = {
  version: "io.modelcontextprotocol/protocolVersion",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  serverInfo: "io.modelcontextprotocol/serverInfo",
} as const;

export const serverName = "clew";

/** A server: the version of the program that it is, and what it offers. */
export interface Server extends Offers {
  version: string;
}

const serverInfo = ({ version }: Server): JsonObject => ({ name: serverName, title: "Clew", version });

type Request = Extract<Message, { kind: "request" }>;

/** What a request's own `_meta` says of the version that it speaks; undefined for one of an older version. */
export function versionOf({ params }: Pick<Request, "params">): unknown {
  const meta = params["_meta"];
  return isObject(meta) ? meta[metaKey.version] : undefined;
}

/** Answers a request. Never throws. */
export async function answerRequest(request: Request, server: Server): Promise<Answer> {
  const isModern = versionOf(request) !== undefined || request.method === "server/discover";
  return isModern ? answerModern(request, server) : answerLegacy(request, server);
}

async function answerModern(request: Request, server: Server): Promise<Answer> {
  const { id, method, params } = request;
  const problem = envelopeProblem(request);
  if (problem) return problem;
  const complete = (result: JsonObject, cache?: Cache): Answer => {
    const meta = { [metaKey.serverInfo]: serverInfo(server) };
    return resultAnswer(id, { resultType: "complete", ...result, ...cache, _meta: meta });
  };
  if (method === "server/discover") {
    const { instructions } = server.tools;
    return complete({ supportedVersions, capabilities: capabilitiesOf(server), instructions }, uncached);
  }
  const reply = await findMethod(server, method)?.(params);
  if (!reply) return unknownMethod(id, method, 404);
  if ("result" in reply) return complete(reply.result, reply.cache);
  const { error } = reply;
  // That a resource is missing has no code of its own here.
  const code = error.code === errorCode.unknownResource ? errorCode.invalidParams : error.code;
  return errorAnswer(id, { ...error, code }, 200);
}

async function answerLegacy({ id, method, params }: Request, server: Server): Promise<Answer> {
  switch (method) {
    case "initialize": {
      const asked = params["protocolVersion"];
      const protocolVersion = legacyVersions.find((version) => version === asked) ?? legacyVersions[0];
      const { instructions } = server.tools;
      const told = { protocolVersion, capabilities: capabilitiesOf(server), serverInfo: serverInfo(server) };
      return resultAnswer(id, { ...told, instructions });
    }
    case "ping":
      return resultAnswer(id, {});
  }
  const reply = await findMethod(server, method)?.(params);
  if (!reply) return unknownMethod(id, method, 200);
  return "result" in reply ? resultAnswer(id, reply.result) : errorAnswer(id, reply.error, 200);
}

function envelopeProblem({ id, params }: Request): Answer | undefined {
  const meta = isObject(params["_meta"]) ? params["_meta"] : {};
  const requested = meta[metaKey.version];
  if (typeof requested !== "string") return invalidParams(id, `_meta must have "${metaKey.version}", a string`, 400);
  if (requested !== modernVersion) return unsupportedVersion(id, requested);
  if (!isObject(meta[metaKey.capabilities])) {
    return invalidParams(id, `_meta must have "${metaKey.capabilities}", an object`, 400);
  }
  return undefined;
}

export function unsupportedVersion(id: RequestId, requested: string): Answer {
  const message = `this version of the protocol is not spoken here; these are: ${supportedVersions.join(", ")}`;
  const data = { supported: supportedVersions, requested };
  return errorAnswer(id, { code: errorCode.unsupportedVersion, message, data }, 400);
}

function invalidParams(id: RequestId, message: string, status: number): Answer {
  return errorAnswer(id, { code: errorCode.invalidParams, message }, status);
}

function unknownMethod(id: RequestId, method: string, status: number): Answer {
  const name = method.length > 80 ? `${method.slice(0, 80)}…` : method;
  return errorAnswer(id, { code: errorCode.unknownMethod, message: `unknown method: ${name}` }, status);
}
