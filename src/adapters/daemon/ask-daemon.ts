import { request } from "node:http";
import type { SocketAnswer } from "../../app/daemon/process-ports.ts";
import { parseJson } from "../../text/parse-json.ts";

const limitMs = 2_000;
const maxBytes = 64 * 1024;

/**
 * What answers `GET /daemon` on a socket. Undefined when nothing does in time, or in another form: whoever listens there may
 * be a stranger.
 */
export function askDaemon(socket: string): Promise<SocketAnswer | undefined> {
  return new Promise((resolve) => {
    const asking = request({ socketPath: socket, path: "/daemon", headers: { host: "localhost" }, agent: false });
    const end = (answer?: SocketAnswer): void => {
      clearTimeout(timer);
      asking.destroy();
      resolve(answer);
    };
    const timer = setTimeout(end, limitMs);
    asking.on("error", () => end());
    asking.on("response", (response) => {
      // It listens, and lets in no more for now.
      if (response.statusCode === 429) return end("busy");
      const parts: Buffer[] = [];
      let bytes = 0;
      response.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > maxBytes) end();
        else parts.push(part);
      });
      response.on("error", () => end());
      response.on("end", () => end(idIn(Buffer.concat(parts).toString("utf8"))));
    });
    asking.end();
  });
}

function idIn(body: string): SocketAnswer | undefined {
  const told = parseJson(body) as { daemon?: { id?: unknown } | null } | null | undefined;
  const id = told?.daemon?.id;
  return typeof id === "string" ? { id } : undefined;
}
