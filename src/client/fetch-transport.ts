import { ClewError } from "../contract/errors.ts";
import type { Transport } from "./transport.ts";

/** Reaches a daemon on loopback, from a program or a page. Throws when the address is none. */
export function fetchTransport({ url, token }: { url: string; token: string }): Transport {
  const base = baseOf(url);
  return async ({ method, path, headers, body, signal }) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    return { status: response.status, chunks: chunksOf(response.body) };
  };
}

/** An address without the slash at its end, which every path begins with. */
function baseOf(url: string): string {
  if (/^https?:\/\/[^/?#]+\/?$/.test(url)) return url.endsWith("/") ? url.slice(0, -1) : url;
  const hint =
    "clew daemon status tells it, like http://127.0.0.1:4780; a daemon that has none listens on its socket alone";
  throw new ClewError("usage", `url: ${JSON.stringify(url)} is no address of a daemon`, hint);
}

/** Not every browser can go through a stream by itself. */
async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
