import { ClewError, errorCodes, type ErrorCode } from "../contract/errors.ts";

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

/** What a whole response says. Throws the error that it tells, as a ClewError. */
export async function answerOf({ status, chunks }: ClientResponse): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  const value = parsed(text + decoder.decode());
  if (status >= 200 && status < 300) return value;
  throw errorIn(value) ?? new ClewError("internal", `the daemon answered ${status}`, "the daemon's log may tell more");
}

function errorIn(value: unknown): ClewError | undefined {
  const { error } = (value ?? {}) as { error?: { code?: unknown; message?: unknown; hint?: unknown } };
  if (!error || typeof error.message !== "string") return undefined;
  const code = errorCodes.find((each) => each === error.code) ?? ("internal" satisfies ErrorCode);
  return new ClewError(code, error.message, typeof error.hint === "string" ? error.hint : "");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
