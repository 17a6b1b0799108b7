import type { CallOptions } from "../contract/api/operation.ts";
import type { DaemonParts } from "./parts.ts";
import type { RouteEntry } from "./route-table.ts";

type Call = (request: unknown, options?: CallOptions) => Promise<unknown>;

/** Asks an operation, and gives its response. */
export async function callOperation(
  parts: Pick<DaemonParts, "openApi">,
  entry: RouteEntry,
  request: unknown,
): Promise<unknown> {
  const { api, close } = await parts.openApi();
  try {
    return await operationIn(api, entry)(request);
  } finally {
    await close();
  }
}

/** Asks an operation that streams. What it needs is let go when the stream has ended, or is left. */
export async function* openStream(
  parts: Pick<DaemonParts, "openApi">,
  entry: RouteEntry,
  request: unknown,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  const { api, close } = await parts.openApi();
  try {
    yield* (await operationIn(api, entry)(request, { signal })) as AsyncIterable<unknown>;
  } finally {
    await close();
  }
}

function operationIn(api: object, { resource, operationName }: RouteEntry): Call {
  return (api as Record<string, Record<string, Call>>)[resource]![operationName]!;
}
