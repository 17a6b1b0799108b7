import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { DaemonServer } from "../app/daemon/ports.ts";
import { ClewError } from "../contract/errors.ts";
import type { Door } from "./doors.ts";
import type { DaemonParts } from "./parts.ts";
import { RequestHandler } from "./request-handler.ts";
import { UnknownConnections } from "./unknown-connections.ts";

/** How long a client may take to send a request, and its headers. */
const requestMs = 10_000;
const headersMs = 5_000;
/** More than streams may be open. */
const maxConnections = 1024;
/** How long answers under way may take when the daemon ends. */
const closeMs = 2_000;

/** Opens the doors of a daemon. Throws a ClewError when one cannot be opened. */
export async function openDoors(
  parts: DaemonParts,
  { socket, port }: { socket: string; port?: number | undefined },
): Promise<DaemonServer> {
  const handler = new RequestHandler(parts);
  const servers: Server[] = [];
  const open = async (
    doorOf: (connection: Socket) => Door,
    at: { path: string } | { host: string; port: number },
  ): Promise<Server> => {
    const server = newServer((request, response) => handler.handle(request, response, doorOf(request.socket)));
    await listenAt(server, at);
    servers.push(server);
    return server;
  };
  const close = async (): Promise<void> => {
    handler.end();
    await Promise.all(servers.map(closeServer));
  };
  try {
    await open(() => ({ kind: "socket" }), { path: socket });
    if (port === undefined) return { socket, url: null, close };
    const unknown = new UnknownConnections();
    const loopback = await open(
      (connection) => ({ kind: "loopback", port: portOf(loopback), admit: () => unknown.admit(connection) }),
      { host: "127.0.0.1", port },
    );
    loopback.on("connection", (connection) => unknown.add(connection));
    return { socket, url: `http://127.0.0.1:${portOf(loopback)}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function newServer(handle: (request: IncomingMessage, response: ServerResponse) => void): Server {
  const server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: headersMs,
      // Node looks for slow clients only so often.
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: 30_000,
    },
    handle,
  );
  server.maxConnections = maxConnections;
  // While an operation works and a stream is quiet, nothing comes and nothing goes.
  server.timeout = 0;
  // What is no HTTP is answered by Node; a program that asks for more than HTTP gets nothing.
  server.on("connect", (_, connection) => connection.destroy());
  server.on("upgrade", (_, connection) => connection.destroy());
  return server;
}

async function listenAt(server: Server, at: { path: string } | { host: string; port: number }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: Error): void => {
      const place = "path" in at ? at.path : `127.0.0.1:${at.port}`;
      const hint = "path" in at ? "clew doctor tells more" : "another program has it, perhaps: take another --port";
      reject(new ClewError("not_possible_now", `nothing can listen on ${place}: ${cause.message}`, hint, { cause }));
    };
    server.once("error", fail).listen(at, () => {
      // A connection that cannot be accepted is the client's to see; it must not end this process.
      server.off("error", fail).on("error", () => undefined);
      resolve();
    });
  });
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), closeMs);
  await closed;
  clearTimeout(timer);
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
