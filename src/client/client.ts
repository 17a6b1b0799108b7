import type { ApiOf, CallOptions, Operation } from "../contract/api/operation.ts";
import { routes, type RemoteOperation } from "../contract/api/routes.ts";
import type { operations } from "../contract/api/table.ts";
import { requestOf } from "./request.ts";
import { followEvents } from "./follow.ts";
import { ask, type Transport } from "./transport.ts";

type Table = typeof operations;

/** The operations that need no process of the caller's own. */
export type RemoteApi = {
  [Resource in keyof Table as keyof RemoteOf<Resource> extends never ? never : Resource]: RemoteOf<Resource>;
};
type RemoteOf<Resource extends keyof Table> = Pick<
  ApiOf<Table[Resource]>,
  {
    [Name in keyof Table[Resource]]: Table[Resource][Name] extends Operation & { where: "either" } ? Name : never;
  }[keyof Table[Resource]]
>;

type StreamsOf<Resource extends keyof Table> = {
  [Name in keyof Table[Resource]]: Table[Resource][Name] extends { where: "either"; streams: true }
    ? `${Resource}.${Name & string}`
    : never;
}[keyof Table[Resource]];
/** The operations of a daemon that stream, by the table. */
type RemoteStream = { [Resource in keyof Table]: StreamsOf<Resource> }[keyof Table];

/** The same, without the table itself, which is too much for a page. The compiler compares them. */
const streams: Record<RemoteStream, true> = { "runs.events": true, "runs.lines": true, "sessions.follow": true };

/**
 * The operations of a daemon, with the same interface as those of this process. What is refused is thrown as a ClewError; a
 * call whose connection is lost is tried again, and done once;
 * streams come back by themselves when they are cut off, where they were.
 */
export function daemonClient(transport: Transport): RemoteApi {
  const resources: Record<string, Record<string, unknown>> = {};
  for (const name of Object.keys(routes) as RemoteOperation[]) {
    const [resource = "", operation = ""] = name.split(".");
    (resources[resource] ??= {})[operation] = async (
      fields: Record<string, unknown> = {},
      { signal }: CallOptions = {},
    ): Promise<unknown> => {
      const asked =
        name === "runs.events" ? { ...fields, follow: fields["follow"] ?? fields["live"] ?? false } : fields;
      const request = { ...requestOf(routes[name], asked), ...(signal && { signal }) };
      return Object.hasOwn(streams, name) ? followEvents(transport, request) : ask(transport, request);
    };
  }
  return resources as unknown as RemoteApi;
}
