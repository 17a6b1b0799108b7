import { request } from "node:http";

const limitMs = 2_000;
const maxBytes = 64 * 1024;

/**
 * The id of the daemon that answers `GET /daemon` on a socket. Undefined when none answers in time, or in another form: whoever
 * listens there may be a stranger.
 */
export function askDaemon(socket: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const asking = request({ socketPath: socket, path: "/daemon", headers: { host: "localhost" }, agent: false });
    const end = (id?: string): void => {
      clearTimeout(timer);
      asking.destroy();
      resolve(id);
    };
    const timer = setTimeout(end, limitMs);
    asking.on("error", () => end());
    asking.on("response", (response) => {
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

function idIn(body: string): string | undefined {
  try {
    const id = (JSON.parse(body) as { daemon?: { id?: unknown } | null }).daemon?.id;
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}
