import type { Asker } from "../app/run/ports.ts";
import type { CallOptions } from "../contract/api/operation.ts";
import type { DaemonParts } from "./parts.ts";
import type { RouteEntry } from "./route-table.ts";

/** An operation that was asked for, with its checked request, and for whom. */
export interface Call {
  entry: RouteEntry;
  request: unknown;
  asker: Asker;
}

type CalledOperation = (request: unknown, options?: CallOptions) => Promise<unknown>;

/** Asks an operation, and gives its response. */
export async function callOperation(
  parts: Pick<DaemonParts, "openOperations" | "self">,
  { entry, request, asker }: Call,
): Promise<unknown> {
  // The operation itself would ask this daemon.
  if (entry.name === "daemon.status") return parts.self();
  const { api, close } = parts.openOperations(asker);
  try {
    return await operationIn(api, entry)(request);
  } finally {
    await close();
  }
}

/** Asks an operation that streams. Resolves once nothing is refused any more; `close` lets go what the stream needs. */
export async function openStream(
  parts: Pick<DaemonParts, "openOperations">,
  { entry, request, asker }: Call,
  signal: AbortSignal,
): Promise<{ items: AsyncIterable<unknown>; close: () => Promise<void> }> {
  const { api, close } = parts.openOperations(asker);
  try {
    const items = await operationIn(api, entry)(request, { signal });
    return { items: items as AsyncIterable<unknown>, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function operationIn(api: object, { resource, operationName }: RouteEntry): CalledOperation {
  return (api as Record<string, Record<string, CalledOperation>>)[resource]![operationName]!;
}
