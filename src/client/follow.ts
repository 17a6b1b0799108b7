import { createParser, type EventSourceMessage } from "eventsource-parser";
import { ClewError } from "../contract/errors.ts";
import { pause } from "./pause.ts";
import { answerOf, reach, type ClientRequest, type ClientResponse, type Transport } from "./transport.ts";

const firstWaitMs = 500;
const longestWaitMs = 10_000;

/**
 * What a daemon tells, item by item. Resolves once it does not refuse. When the connection is lost, it is made again, and
 * goes on after the last numbered item; it is given up only when the daemon refuses, or at the signal.
 */
export async function followEvents(transport: Transport, request: ClientRequest): Promise<AsyncIterable<unknown>> {
  const { signal } = request;
  const isStopped = (): boolean => signal?.aborted ?? false;
  let lastId = "";
  const connect = async (): Promise<ClientResponse> => {
    const headers = { ...request.headers, accept: "text/event-stream", ...(lastId && { "last-event-id": lastId }) };
    const response = await reach(transport, { ...request, headers });
    if (response.status !== 200) await answerOf(response, signal);
    return response;
  };
  const first = await connect();
  return (async function* () {
    let failures = 0;
    for (let response: ClientResponse | undefined = first; !isStopped();) {
      try {
        response ??= await connect();
        for await (const { event, id, data } of messagesOf(response)) {
          failures = 0;
          lastId = id ?? lastId;
          if (event === "end") return;
          if (event !== "start") yield JSON.parse(data) as unknown;
        }
      } catch (error) {
        if (isRefusal(error)) throw error;
      }
      response = undefined;
      await pause(Math.min(firstWaitMs * 2 ** failures++, longestWaitMs), signal);
    }
  })();
}

/** Whether asking again would come to the same. */
function isRefusal(error: unknown): boolean {
  return error instanceof ClewError && error.httpStatus < 500 && error.code !== "too_many_requests";
}

/** Ends when the connection does, in whatever way. */
async function* messagesOf({ chunks }: ClientResponse): AsyncGenerator<EventSourceMessage> {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* messages.splice(0);
  }
}
