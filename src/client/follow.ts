import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ClewError } from "../contract/errors.ts";
import { answerOf, type ClientRequest, type ClientResponse, type Transport } from "./transport.ts";

const firstWaitMs = 500;
const longestWaitMs = 10_000;

/**
 * What a daemon tells, item by item. Resolves once it does not refuse. When the connection is lost, it is made again, and
 * goes on after the last numbered item; it is given up only when the daemon refuses, or at the signal.
 */
export async function followEvents(
  transport: Transport,
  request: ClientRequest,
  signal?: AbortSignal,
): Promise<AsyncIterable<unknown>> {
  let lastId = "";
  const connect = async (): Promise<ClientResponse> => {
    const headers = { ...request.headers, accept: "text/event-stream", ...(lastId && { "last-event-id": lastId }) };
    const response = await transport({ ...request, headers, ...(signal && { signal }) });
    if (response.status !== 200) await answerOf(response);
    return response;
  };
  const first = await connect();
  return (async function* () {
    let failures = 0;
    for (let response: ClientResponse | undefined = first; !signal?.aborted;) {
      try {
        response ??= await connect();
        for await (const message of messagesOf(response)) {
          failures = 0;
          if (message.event === "end") return;
          lastId = message.id ?? lastId;
          yield JSON.parse(message.data) as unknown;
        }
      } catch (error) {
        if (error instanceof ClewError) throw error;
      }
      response = undefined;
      await pause(Math.min(firstWaitMs * 2 ** failures++, longestWaitMs), signal);
    }
  })();
}

async function* messagesOf({ chunks }: ClientResponse): AsyncGenerator<EventSourceMessage> {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* messages.splice(0);
  }
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
