import type { Endpoint, HttpAnswer } from "../http/loopback-server.ts";
import { headerProblem } from "./http-checks.ts";
import { errorAnswer, errorCode, readMessage } from "./json-rpc.ts";
import { answerRequest, type Server } from "./protocol.ts";

export const maxMessageBytes = 4 * 1024 * 1024;

/** MCP at one path of HTTP. */
export function mcpEndpoint(token: string, server: Server): Endpoint {
  return {
    token,
    maxBytes: maxMessageBytes,
    async answer(text, headers): Promise<HttpAnswer> {
      const message = readMessage(text);
      if (message.kind === "invalid") return message.answer;
      if (message.kind === "silent") return { status: 202 };
      return headerProblem(message, headers) ?? answerRequest(message, server);
    },
    refusalBody: (message) => errorAnswer(null, { code: errorCode.invalidRequest, message }, 0).body,
  };
}
