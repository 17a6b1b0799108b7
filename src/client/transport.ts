import { ClewError, errorCodes, type ErrorCode } from "../contract/errors.ts";
import { parseJson } from "../text/parse-json.ts";
import { pause } from "./pause.ts";

/** A request to a daemon. */
export interface ClientRequest {
  method: string;
  /** The path with its query. */
  path: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

export interface ClientResponse {
  status: number;
  /** The body as it comes. */
  chunks: AsyncIterable<Uint8Array>;
}

/** How a request reaches the daemon. Rejects when it cannot be reached. */
export type Transport = (request: ClientRequest) => Promise<ClientResponse>;

/** Until a call is tried again whose connection was lost. */
const retryMs = [200, 1_000];

/** Sends a request and gives what the whole answer says. When the connection is lost it tries again. Throws a ClewError. */
export async function ask(transport: Transport, request: ClientRequest): Promise<unknown> {
  for (const waitMs of retryMs) {
    try {
      return await answerOf(await reach(transport, request), request.signal);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      await pause(waitMs, request.signal);
    }
  }
  return answerOf(await reach(transport, request), request.signal);
}

/** The daemon did not answer, or not to the end. */
class Unreachable extends ClewError {}

/** Sends a request. Throws `not_available` when the daemon cannot be reached, `interrupted` at the signal. */
export async function reach(transport: Transport, request: ClientRequest): Promise<ClientResponse> {
  try {
    return await transport(request);
  } catch (cause) {
    throw failure(cause, request.signal);
  }
}

function failure(cause: unknown, signal: AbortSignal | undefined): ClewError {
  if (cause instanceof ClewError) return cause;
  if (signal?.aborted) return new ClewError("interrupted", "the request was given up", "ask again", { cause });
  const { message, cause: inner } = cause as { message?: string; cause?: { message?: string } };
  return new Unreachable(
    "not_available",
    `the daemon cannot be reached: ${inner?.message ?? message ?? "no reason was given"}`,
    "clew daemon start starts it; clew daemon status tells where it listens",
    { cause },
  );
}

/** What a whole response says. Throws the error that it tells, or that its end did not come, as a ClewError. */
export async function answerOf({ status, chunks }: ClientResponse, signal?: AbortSignal): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw failure(cause, signal);
  }
  const value = parseJson(text + decoder.decode());
  if (status >= 200 && status < 300) {
    if (value !== undefined) return value;
    throw failure(new Error("its answer is no JSON"), signal);
  }
  throw errorIn(value) ?? new ClewError("internal", `the daemon answered ${status}`, "the daemon's log may tell more");
}

function errorIn(value: unknown): ClewError | undefined {
  const { error } = (value ?? {}) as { error?: { code?: unknown; message?: unknown; hint?: unknown } };
  if (!error || typeof error.message !== "string") return undefined;
  const code = errorCodes.find((each) => each === error.code) ?? ("internal" satisfies ErrorCode);
  return new ClewError(code, error.message, typeof error.hint === "string" ? error.hint : "");
}
