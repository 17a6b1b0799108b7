import { createServer } from "node:http";
import { once } from "node:events";
import { answerOf } from "./answer.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import { readRequest } from "./record.ts";
import { responses } from "./responses.ts";
import { pickTurn } from "./script.ts";
import { text } from "./wire.ts";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SseEvent } from "./answer.ts";
import type { RecordedRequest } from "./record.ts";
import type { Fault, Script, Turn } from "./script.ts";
import type { Wire } from "./wire.ts";

export interface ModelServer extends AsyncDisposable {
  /** Like `http://127.0.0.1:4711`, without a slash at the end. */
  readonly url: string;
  /** What engines asked, in order, without keys. `turn` is missing where no turn of the script was used. */
  readonly requests: readonly RecordedRequest[];
  /** The requests that were part of the conversation, not titles and the like. */
  readonly rounds: readonly RecordedRequest[];
  close(): Promise<void>;
}

/** A forgotten server ends by itself. */
const lifetimeMs = 15 * 60_000;
const harmless: Turn = { say: "ok" };

/** Starts a model on a free port of loopback that says what the script has. */
export async function startModel(script: Script): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  const faults = new Map<Fault, number>();

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const recorded = await readRequest(request);
    requests.push(recorded);
    const wire = wireOf(recorded.path);
    if (request.method !== "POST" || !wire || isCount(recorded.path)) return answerAside(recorded, response);

    const conversation = wire.read(recorded.body);
    // Titles, topics and quota checks offer no tools; the work itself always does.
    const turn = conversation.tools.length === 0 && !script.isBare ? harmless : pickTurn(script, conversation);
    if (turn !== harmless) Object.assign(recorded, { turn, news: conversation.news });
    const fault = dueFault(turn.fault);
    if (fault && "hang" in fault) return;
    if (fault && "error" in fault) return sendJson(response, fault.error.status, wire.error(fault.error));

    const answer = answerOf(turn, conversation);
    const model = modelOf(recorded);
    if (!isStream(recorded)) {
      return fault ? void response.destroy() : sendJson(response, 200, wire.whole(answer, model));
    }
    sendEvents(
      response,
      wire.events(answer, model),
      fault && "cutAfterEvents" in fault ? fault.cutAfterEvents : undefined,
    );
  }

  function dueFault(fault: Fault | undefined): Fault | undefined {
    if (!fault) return undefined;
    const seen = (faults.get(fault) ?? 0) + 1;
    faults.set(fault, seen);
    return fault.times === undefined || seen <= fault.times ? fault : undefined;
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const closed = once(server, "close");
  const close = async () => {
    clearTimeout(limit);
    server.close();
    server.closeAllConnections();
    await closed;
  };
  const limit = setTimeout(() => void close(), lifetimeMs).unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    get rounds() {
      return requests.filter(({ turn }) => turn !== undefined);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function wireOf(path: string): Wire | undefined {
  if (/\/messages(\/count_tokens)?$/u.test(path)) return messages;
  if (path.endsWith("/responses")) return responses;
  if (path.endsWith("/chat/completions")) return chat;
  return /:(generateContent|streamGenerateContent|countTokens)$/u.test(path) ? gemini : undefined;
}

function isCount(path: string): boolean {
  return path.endsWith("/count_tokens") || path.endsWith(":countTokens");
}

function isStream({ path, body }: RecordedRequest): boolean {
  return body.stream === true || path.endsWith(":streamGenerateContent");
}

function modelOf({ path, body }: RecordedRequest): string {
  return text(body.model) || (/models\/([^:/]+):/u.exec(path)?.[1] ?? "model");
}

/** What engines ask beside the conversation: how long a text is, which models there are. */
function answerAside({ path, body }: RecordedRequest, response: ServerResponse): void {
  const tokens = Math.ceil(JSON.stringify(body).length / 4);
  if (path.endsWith("/count_tokens")) return sendJson(response, 200, { input_tokens: tokens });
  if (path.endsWith(":countTokens")) return sendJson(response, 200, { totalTokens: tokens });
  if (path.endsWith("/models")) return sendJson(response, 200, { object: "list", data: [], models: [] });
  return sendJson(response, path === "/" ? 200 : 404, {
    error: { type: "not_found_error", message: `nothing at ${path}` },
  });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function sendEvents(response: ServerResponse, events: readonly SseEvent[], cutAfter: number | undefined): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const { event, data } of events.slice(0, cutAfter)) {
    const payload = typeof data === "string" ? data : JSON.stringify(data);
    response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${payload}\n\n`);
  }
  if (cutAfter === undefined) return void response.end();
  // Only after what was sent has left: a cut is seen in the middle of the stream, not before it.
  response.write("", () => setImmediate(() => response.destroy()));
}
