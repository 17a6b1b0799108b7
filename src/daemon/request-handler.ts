import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Operation } from "../contract/api/operation.ts";
import { ClewError } from "../contract/errors.ts";
import { contentProblem } from "../http/json-body.ts";
import { readBody } from "../http/read-body.ts";
import { asClewError, errorAnswer, jsonAnswer, send, type Answer } from "./answer.ts";
import { authorize, refuseForeign, type Door } from "./doors.ts";
import { answerOnce } from "./kept-answers.ts";
import { callOperation, type Call } from "./call.ts";
import type { DaemonParts } from "./parts.ts";
import { metricsText, metricsType } from "./metrics-text.ts";
import { processMetrics, repositoryMetrics } from "./repository-metrics.ts";
import { RequestMetrics } from "./request-metrics.ts";
import { RateLimit } from "./rate-limit.ts";
import { readRequest } from "./request-fields.ts";
import { findPath, pathFields, type RouteEntry } from "./route-table.ts";
import { Streams } from "./streams.ts";
import { readTarget, type Target } from "./target.ts";

const maxBodyBytes = 16 * 1024 * 1024;

/** What stands in the API beside the operations, for all who may read. */
type Document = "/openapi.json" | "/metrics";

/** A request that was let in: what it asks for. */
type Asked =
  | { kind: "document"; path: Document }
  | { kind: "operation"; entry: RouteEntry; fields: Record<string, string>; query: URLSearchParams };

/** Answers requests: first who may come in, then what is asked, then the operation. */
export class RequestHandler {
  readonly #parts: DaemonParts;
  readonly #rate: RateLimit;
  readonly #metrics = new RequestMetrics();
  /** What each response is to, once that is known. */
  readonly #routes = new WeakMap<ServerResponse, string>();
  readonly #streams: Streams;
  readonly #ending = new AbortController();

  constructor(parts: DaemonParts) {
    this.#parts = parts;
    this.#rate = new RateLimit(parts.elapsedMs);
    this.#streams = new Streams(parts);
    // Each stream ends with the daemon.
    setMaxListeners(0, this.#ending.signal);
  }

  /** Ends all streams; nothing more is answered. */
  end(): void {
    this.#ending.abort();
  }

  /** Never throws, and never rejects: a request that cannot be answered is cut off. */
  handle(request: IncomingMessage, response: ServerResponse, door: Door): void {
    response.on("error", () => undefined);
    const begunMs = this.#parts.elapsedMs();
    response.once("close", () => {
      const seconds = (this.#parts.elapsedMs() - begunMs) / 1000;
      this.#metrics.add(this.#routes.get(response) ?? "none", response.statusCode, seconds);
    });
    void this.#answer(request, response, door).catch((error: unknown) => {
      const failure = asClewError(error, this.#parts.explain);
      if (failure.code === "internal") this.#parts.log(`${request.method} ${request.url}: ${String(failure.cause)}`);
      if (response.headersSent) return void response.destroy();
      // What was not read of a body must not be taken for the next request.
      if (!request.complete) response.setHeader("connection", "close");
      send(request, response, errorAnswer(failure));
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse, door: Door): Promise<void> {
    refuseForeign(request, door);
    const { headers } = request;
    const target = readTarget(request.url ?? "");
    const asked = this.#find(request, target, door);
    this.#routes.set(response, asked.kind === "document" ? asked.path : asked.entry.name);
    const effect = asked.kind === "document" ? "reads" : asked.entry.operation.effect;
    const grant = authorize(effect, { headers, door, tokens: this.#parts.tokens });
    const client = grant?.id ?? door.kind;
    this.#rate.take(client);
    if (this.#ending.signal.aborted) throw new ClewError("not_available", "the daemon is ending", "ask again soon");
    if (asked.kind === "document") return send(request, response, await this.#document(asked.path));
    const { entry, fields, query } = asked;
    const text = await bodyText(request, entry);
    const operationRequest = readRequest(entry, { path: fields, query, body: parsed(text) });
    const call: Call = {
      entry,
      request: operationRequest,
      asker: grant
        ? { name: `token ${grant.id}`, isPerson: !grant.readOnly }
        : { name: "the daemon's socket", isPerson: false },
    };
    if (entry.operation.streams) {
      return this.#streams.stream(call, { request, response, signal: this.#ending.signal });
    }
    const work = (): Promise<Answer> => this.#call(request, call);
    const key = headers["idempotency-key"];
    if (key === undefined || entry.method !== "POST") return send(request, response, await work());
    const once = { key: String(key), parts: [client, entry.name, JSON.stringify(fields), text ?? ""] };
    send(request, response, await answerOnce(this.#parts.keptAnswers, once, work));
  }

  /** What is asked for. Whoever may not read anything is not told what there is. */
  #find(request: IncomingMessage, { words, query }: Target, door: Door): Asked {
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
    const path = `/${words.join("/")}`;
    const isDocument = path === "/openapi.json" || path === "/metrics";
    const byMethod = isDocument ? undefined : findPath(words);
    if (isDocument && method === "GET") return { kind: "document", path };
    const entry = byMethod?.get(method);
    if (entry) return { kind: "operation", entry, fields: pathFields(entry, words), query };
    authorize("reads" satisfies Operation["effect"], { headers: request.headers, door, tokens: this.#parts.tokens });
    if (!isDocument && !byMethod) {
      throw new ClewError(
        "unknown_route",
        `there is nothing at ${path.slice(0, 200)}`,
        "GET /openapi.json names all paths",
      );
    }
    const methods = isDocument ? ["GET"] : [...byMethod!.keys()];
    throw new ClewError(
      "wrong_method",
      `${path.slice(0, 200)} takes ${methods.join(" or ")}`,
      "GET /openapi.json tells more",
    );
  }

  async #call(request: IncomingMessage, call: Call): Promise<Answer> {
    try {
      return jsonAnswer(await callOperation(this.#parts, call));
    } catch (error) {
      const failure = asClewError(error, this.#parts.explain);
      if (failure.code === "internal") this.#parts.log(`${request.method} ${request.url}: ${String(failure.cause)}`);
      return errorAnswer(failure);
    }
  }

  async #document(path: Document): Promise<Answer> {
    if (path === "/metrics") return { status: 200, type: metricsType, text: await this.#metricsText() };
    return { status: 200, type: "application/json; charset=utf-8", text: this.#parts.apiDocument() };
  }

  async #metricsText(): Promise<string> {
    const { openOperations, eventHub, self } = this.#parts;
    const { api, close } = openOperations({ name: "the daemon", isPerson: false });
    try {
      const { listeners } = await eventHub();
      const own = processMetrics(self().version, listeners);
      return metricsText([...own, ...(await repositoryMetrics(api)), ...this.#metrics.metrics()]);
    } finally {
      await close();
    }
  }
}

/** The body of a POST; undefined where there is none. Throws when there is one that may not be. */
async function bodyText(request: IncomingMessage, { method }: RouteEntry): Promise<string | undefined> {
  const { headers } = request;
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (method !== "POST") {
    if (hasBody) throw new ClewError("usage", `${method} takes no body`, "put its fields into the address");
    return undefined;
  }
  // Also without a body: a page in a browser cannot send this type by itself.
  const problem = contentProblem(headers);
  if (problem !== undefined)
    throw new ClewError("wrong_content_type", problem, "send JSON, {} where there is nothing to say");
  if (!hasBody) return undefined;
  const body = await readBody(request, maxBodyBytes);
  if ("text" in body) return body.text;
  if (body.problem === "not UTF-8") throw new ClewError("usage", "the body is not UTF-8", "send JSON in UTF-8");
  throw new ClewError("too_large", `a body has at most ${maxBodyBytes} bytes`, "send less at once");
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new ClewError("usage", `the body is not JSON: ${message}`, "send one JSON object", { cause });
  }
}
