// What a program imports as `clew/client`; a browser can, too.
export { ClewError, type ErrorCode } from "../contract/errors.ts";
export { daemonClient, type RemoteApi } from "./client.ts";
export { fetchTransport } from "./fetch-transport.ts";
export type { ClientRequest, ClientResponse, Transport } from "./transport.ts";
