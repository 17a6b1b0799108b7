import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { ClewError } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import { bearerToken, isSameSecret } from "./bearer.ts";
import { readBody } from "./read-body.ts";
import { foreignRefusal, formRefusal, type Refusal } from "./request-checks.ts";

/** What answers at one path, for one who has the token. */
export interface Endpoint {
  token: string;
  /** A longer body is refused. */
  maxBytes: number;
  /** Answers the text of a body. What it throws cuts the connection off. */
  answer(text: string, headers: IncomingHttpHeaders): Promise<HttpAnswer>;
  /** The body that tells a refusal; one of our own when absent. */
  refusalBody?(message: string): Json;
}

export interface HttpAnswer {
  status: number;
  /** Sent as JSON. Without it and `text`, the answer has no body. */
  body?: Json;
  /** A body that is sent as it is. */
  text?: { contentType: string; body: string };
}

const maxConnections = 256;
/** How long a client may take to send a request, by default. */
const defaultRequestMs = 10_000;

/** HTTP on a random port of loopback: one server, many endpoints, each with its own token. */
export class LoopbackServer {
  readonly #http: HttpServer;
  readonly #endpoints = new Map<string, Endpoint>();

  private constructor(requestMs: number) {
    this.#http = createServer(
      {
        requestTimeout: requestMs,
        headersTimeout: requestMs,
        // Node looks for slow clients only so often.
        connectionsCheckingInterval: Math.min(1_000, requestMs),
        keepAliveTimeout: 30_000,
      },
      (request, response) => void this.#serve(request, response),
    );
    this.#http.maxConnections = maxConnections;
  }

  /** Throws a ClewError when no port can be had. */
  static async listen(requestMs = defaultRequestMs): Promise<LoopbackServer> {
    const server = new LoopbackServer(requestMs);
    await new Promise<void>((resolve, reject) => {
      const fail = (cause: Error): void => {
        const hint = "agents call Clew there: allow this program to listen on 127.0.0.1";
        reject(new ClewError("not_available", `no port of 127.0.0.1 can be opened: ${cause.message}`, hint, { cause }));
      };
      server.#http.once("error", fail).listen(0, "127.0.0.1", () => {
        // A connection that cannot be accepted is the client's to see; it must not end this process.
        server.#http.off("error", fail).on("error", () => undefined);
        resolve();
      });
    });
    return server;
  }

  /** Answers at this path from now on. Returns its address. */
  add(path: string, endpoint: Endpoint): string {
    this.#endpoints.set(path, endpoint);
    return `http://${this.#host}${path}`;
  }

  remove(path: string): void {
    this.#endpoints.delete(path);
  }

  /** Lets the process end though this still listens. */
  unref(): this {
    this.#http.unref();
    return this;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()));
    this.#http.closeAllConnections();
    await closed;
  }

  get #host(): string {
    return `127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** Never rejects: a request that cannot be answered is cut off. */
  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => undefined);
    try {
      const endpoint = this.#endpoints.get(request.url ?? "");
      const refusal =
        foreignRefusal(request, this.#host) ??
        accessRefusal(endpoint, request.headers.authorization) ??
        formRefusal(request);
      if (refusal) return refuse(response, refusal, endpoint);
      const { maxBytes } = endpoint!;
      const body = await readBody(request, maxBytes);
      if ("text" in body) return send(response, await endpoint!.answer(body.text, request.headers));
      if (body.problem === "cut off") response.destroy();
      else if (body.problem === "not UTF-8")
        refuse(response, { status: 400, message: "the body is not UTF-8" }, endpoint);
      else refuse(response, { status: 413, message: `a message has at most ${maxBytes} bytes` }, endpoint);
    } catch {
      response.destroy();
    }
  }
}

function accessRefusal(endpoint: Endpoint | undefined, authorization: string | undefined): Refusal | undefined {
  if (!endpoint) return { status: 404, message: "nothing is served here: the agent that it was for may have ended" };
  if (isSameSecret(bearerToken(authorization) ?? "", endpoint.token)) return undefined;
  const message = "the token of this agent is needed: Authorization: Bearer TOKEN";
  return { status: 401, message, headers: { "www-authenticate": "Bearer" } };
}

function send(response: ServerResponse, { status, body, text }: HttpAnswer): void {
  if (text) response.writeHead(status, { ...jsonHeaders, "content-type": text.contentType }).end(text.body);
  else if (body === undefined) response.writeHead(status).end();
  else response.writeHead(status, jsonHeaders).end(JSON.stringify(body));
}

const jsonHeaders = { "content-type": "application/json", "cache-control": "no-store" };

/** The body may not have been read, and then the connection is of no further use. */
function refuse(response: ServerResponse, { status, message, headers }: Refusal, endpoint: Endpoint | undefined): void {
  const body = endpoint?.refusalBody?.(message) ?? { error: { message } };
  response.writeHead(status, { ...jsonHeaders, ...headers, connection: "close" }).end(JSON.stringify(body));
}
