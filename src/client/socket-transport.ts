import { request as httpRequest, type IncomingMessage } from "node:http";
import type { Transport } from "./transport.ts";

/** Reaches a daemon by its Unix socket. A token is needed for what a person decides. */
export function socketTransport({ socket, token }: { socket: string; token?: string }): Transport {
  return ({ method, path, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const sent = httpRequest(
        {
          socketPath: socket,
          method,
          path,
          headers: {
            host: "localhost",
            ...headers,
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
            ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
          },
          ...(signal && { signal }),
        },
        (response: IncomingMessage) =>
          resolve({ status: response.statusCode ?? 0, chunks: response as AsyncIterable<Uint8Array> }),
      );
      sent.on("error", reject);
      sent.end(body);
    });
}
