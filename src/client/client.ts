import type { ApiOf, CallOptions, Operation } from "../contract/api/operation.ts";
import { routes, type RemoteOperation } from "../contract/api/routes.ts";
import type { operations } from "../contract/api/table.ts";
import { requestOf } from "./request.ts";
import { followEvents } from "./follow.ts";
import { answerOf, type Transport } from "./transport.ts";

type Table = typeof operations;

/** The operations that need no process of the caller's own. */
export type RemoteApi = {
  [Resource in keyof Table]: Pick<
    ApiOf<Table[Resource]>,
    {
      [Name in keyof Table[Resource]]: Table[Resource][Name] extends Operation & { where: "either" } ? Name : never;
    }[keyof Table[Resource]]
  >;
};

/** Operations that stream. The compiler compares this with the table. */
const streams = { "runs.events": true, "runs.lines": true, "sessions.follow": true } as const satisfies Partial<
  Record<RemoteOperation, true>
>;

/**
 * The operations of a daemon, with the same interface as those of this process. What is refused is thrown as a ClewError;
 * streams come back by themselves when they are cut off, where they were.
 */
export function daemonClient(transport: Transport): RemoteApi {
  const resource = (name: string): unknown =>
    new Proxy({}, { get: (_, operation) => call(`${name}.${String(operation)}` as RemoteOperation) });
  const call =
    (name: RemoteOperation) =>
    async (fields: Record<string, unknown> = {}, { signal }: CallOptions = {}): Promise<unknown> => {
      const request = requestOf(routes[name], fields);
      if (name in streams) return followEvents(transport, request, signal);
      return answerOf(await transport({ ...request, ...(signal && { signal }) }));
    };
  return new Proxy({} as RemoteApi, { get: (_, name) => resource(String(name)) });
}
