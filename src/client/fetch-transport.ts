import type { Transport } from "./transport.ts";

/** Reaches a daemon on loopback, from a program or a page. */
export function fetchTransport({ url, token }: { url: string; token: string }): Transport {
  return async ({ method, path, headers, body, signal }) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    return { status: response.status, chunks: chunksOf(response.body) };
  };
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
