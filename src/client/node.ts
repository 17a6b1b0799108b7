// What a program of Node imports as `clew/client/node`.
export { socketTransport } from "./socket-transport.ts";
