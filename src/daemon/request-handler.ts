import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { TokenGrant } from "../app/daemon/ports.ts";
import type { Operation } from "../contract/api/operation.ts";
import { ClewError } from "../contract/errors.ts";
import { asClewError, errorAnswer, jsonAnswer, send, WrongMethod, type Answer } from "./answer.ts";
import { authorize, refuseForeign, type Door } from "./doors.ts";
import { bearerToken } from "../http/bearer.ts";
import { RepeatableRequests } from "./kept-answers.ts";
import { callOperation, type Call } from "./call.ts";
import type { DaemonParts } from "./parts.ts";
import { metricsText, metricsType } from "./metrics-text.ts";
import { processMetrics, repositoryMetrics } from "./repository-metrics.ts";
import { RequestMetrics } from "./request-metrics.ts";
import { RateLimit } from "./rate-limit.ts";
import { bodyText, parsedBody } from "./request-body.ts";
import { readRequest } from "./request-fields.ts";
import { findPath, pathFields, routeHint, type RouteEntry } from "./route-table.ts";
import { Streams } from "./streams.ts";
import { readTarget, type Target } from "./target.ts";

/** What a wrong token takes of what may be asked: a hundred at once, twenty a second. */
const wrongTokenCost = 10;

/** What stands in the API beside the operations, for all who may read. */
type Document = "/openapi.json" | "/metrics";

/** A request that was let in: what it asks for. */
type Asked =
  | { kind: "document"; path: Document }
  | { kind: "hook"; event: string; engine: string | undefined }
  | { kind: "operation"; entry: RouteEntry; fields: Record<string, string>; query: URLSearchParams };

/** Answers requests: first who may come in, then what is asked, then the operation. */
export class RequestHandler {
  readonly #parts: DaemonParts;
  readonly #rate: RateLimit;
  /** All who come with a wrong token are one client. */
  readonly #wrongTokens = {};
  readonly #metrics = new RequestMetrics();
  /** What each response is to, once that is known. */
  readonly #routes = new WeakMap<ServerResponse, string>();
  readonly #streams: Streams;
  readonly #repeatable: RepeatableRequests;
  readonly #ending = new AbortController();

  constructor(parts: DaemonParts) {
    this.#parts = parts;
    this.#rate = new RateLimit(parts.elapsedMs);
    this.#streams = new Streams(parts);
    this.#repeatable = new RepeatableRequests(parts.keptAnswers);
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
      const answer = this.#failure(request, error);
      if (response.headersSent) return void response.destroy();
      // What was not read of a body must not be taken for the next request.
      if (!request.complete) response.setHeader("connection", "close");
      send(request, response, answer);
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse, door: Door): Promise<void> {
    // Before anything is looked at: also what is refused takes time.
    this.#rate.take(request.socket);
    refuseForeign(request, door);
    const { headers } = request;
    const target = readTarget(request.url ?? "");
    const asked = this.#find(request, target, door);
    this.#routes.set(response, nameOf(asked));
    const effect = asked.kind === "document" ? "reads" : asked.kind === "hook" ? "hooks" : asked.entry.operation.effect;
    const grant = this.#authorize(effect, request, door);
    if (grant) this.#rate.take(grant.id);
    /** All without a token are one: what they began may be asked for again on another connection. */
    const client = grant?.id ?? door.kind;
    if (this.#ending.signal.aborted) throw new ClewError("not_available", "the daemon is ending", "ask again soon");
    if (asked.kind === "document") return send(request, response, await this.#document(asked.path));
    if (asked.kind === "hook") return send(request, response, await this.#hook(request, asked));
    const { entry, fields, query } = asked;
    const text = await bodyText(request, entry);
    const operationRequest = readRequest(entry, { path: fields, query, body: parsedBody(text) });
    const call: Call = {
      entry,
      request: operationRequest,
      asker: grant
        ? { name: `token ${grant.id}`, isPerson: !grant.readOnly }
        : { name: "the daemon's socket", isPerson: false },
    };
    if (entry.operation.streams) {
      const token = bearerToken(headers.authorization);
      const mayGoOn = (): boolean => token === undefined || this.#parts.tokens.check(token) !== undefined;
      const streamClient = { id: client, hasToken: grant !== undefined };
      const { signal } = this.#ending;
      return this.#streams.stream(call, { request, response, client: streamClient, signal, mayGoOn });
    }
    const work = (): Promise<Answer> => this.#call(request, call);
    const key = headers["idempotency-key"];
    if (key === undefined || effect === "reads") return send(request, response, await work());
    const parts = [entry.name, JSON.stringify(fields), text ?? query.toString()];
    send(request, response, await this.#repeatable.answer({ client, key: String(key), parts }, work));
  }

  /** A wrong token costs, on whichever connection it comes: who holds a right one is never refused for it. */
  #authorize(effect: Operation["effect"] | "hooks", { headers }: IncomingMessage, door: Door): TokenGrant | undefined {
    try {
      return authorize(effect, { headers, door, tokens: this.#parts.tokens });
    } catch (error) {
      const isWrongToken =
        error instanceof ClewError && error.code === "unauthorized" && headers.authorization !== undefined;
      if (isWrongToken) this.#rate.take(this.#wrongTokens, wrongTokenCost);
      throw error;
    }
  }

  /** What is asked for. Whoever may not read anything is not told what there is. */
  #find(request: IncomingMessage, { words, query }: Target, door: Door): Asked {
    const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
    const path = `/${words.join("/")}`;
    const isHook = words.length === 2 && words[0] === "hooks";
    if (isHook && method === "POST")
      return { kind: "hook", event: words[1]!, engine: query.get("engine") ?? undefined };
    const isDocument = path === "/openapi.json" || path === "/metrics";
    const byMethod = isDocument ? undefined : findPath(words);
    if (isDocument && method === "GET") return { kind: "document", path };
    const entry = byMethod?.get(method);
    if (entry) return { kind: "operation", entry, fields: pathFields(entry, words), query };
    this.#authorize("reads", request, door);
    // Redacted before it is cut: half a secret looks like none.
    const shown = this.#parts.redact(path).slice(0, 200);
    if (isHook) throw new WrongMethod(shown, ["POST"]);
    if (!isDocument && !byMethod)
      throw new ClewError("unknown_route", `there is nothing at ${shown}`, routeHint(words));
    throw new WrongMethod(shown, isDocument ? ["GET"] : [...byMethod!.keys()]);
  }

  async #hook(request: IncomingMessage, { event, engine }: Extract<Asked, { kind: "hook" }>): Promise<Answer> {
    const text = (await bodyText(request, { method: "POST" })) ?? "";
    const { contentType, body } = await this.#parts.takeHook({ event, engine, input: text });
    return { status: 200, type: contentType, text: body };
  }

  async #call(request: IncomingMessage, call: Call): Promise<Answer> {
    try {
      return jsonAnswer(await callOperation(this.#parts, call));
    } catch (error) {
      return this.#failure(request, error);
    }
  }

  /** What is told of a failure; one that was not expected is noted in the log. */
  #failure({ method, url }: IncomingMessage, error: unknown): Answer {
    const { explain, redact, log } = this.#parts;
    const failure = asClewError(error, explain);
    if (failure.code === "internal") log(`${method} ${url}: ${String(failure.cause)}`);
    return errorAnswer(failure, redact);
  }

  async #document(path: Document): Promise<Answer> {
    if (path === "/metrics") return { status: 200, type: metricsType, text: await this.#metricsText() };
    return { status: 200, type: "application/json; charset=utf-8", text: this.#parts.apiDocument() };
  }

  async #metricsText(): Promise<string> {
    const { openOperations, self } = this.#parts;
    const { api, close } = openOperations({ name: "the daemon", isPerson: false });
    try {
      const own = processMetrics(self().version, this.#streams.open);
      return metricsText([...own, ...(await repositoryMetrics(api)), ...this.#metrics.metrics()]);
    } finally {
      await close();
    }
  }
}

/** What figures call it. */
function nameOf(asked: Asked): string {
  if (asked.kind === "hook") return "/hooks";
  return asked.kind === "document" ? asked.path : asked.entry.name;
}
