import type { IncomingHttpHeaders } from "node:http";
import type { Operation } from "../contract/api/operation.ts";
import type { TokenGrant, Tokens } from "../app/daemon/ports.ts";
import { ClewError } from "../contract/errors.ts";
import { bearerToken } from "../http/bearer.ts";

/** Where a request came in: the Unix socket, which only its owner can open, or a port of loopback, which all users can. */
export type Door =
  | { kind: "socket" }
  /** `admit` is called when its connection has shown a token. */
  | { kind: "loopback"; port: number; admit: () => void };

interface Head {
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
}

/** Headers of which a second one could be read instead of the first. */
const singleHeaders = new Set([
  "host",
  "origin",
  "authorization",
  "content-length",
  "content-type",
  "transfer-encoding",
]);

/**
 * Refuses what a page in a browser sends: it has an Origin, comes from another site, or was led here under another name.
 * Throws a ClewError.
 */
export function refuseForeign({ headers, rawHeaders }: Head, door: Door): void {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const twice = names.find((name, at) => singleHeaders.has(name) && names.indexOf(name) !== at);
  if (twice !== undefined) throw new ClewError("usage", `the header ${twice} stands there twice`, "send it once");
  if (!isOwnHost(headers.host ?? "", door)) {
    throw foreign(`the Host ${JSON.stringify(headers.host ?? "")} is not this daemon's`);
  }
  const { origin, "sec-fetch-site": site } = headers;
  const ownOrigin = door.kind === "loopback" ? `http://${headers.host}` : undefined;
  if (origin !== undefined && origin !== ownOrigin) throw foreign(`pages of ${JSON.stringify(origin)} may not ask`);
  if (site !== undefined && site !== "same-origin" && site !== "none")
    throw foreign("pages of other sites may not ask");
}

function isOwnHost(host: string, door: Door): boolean {
  if (door.kind === "loopback") return host === `127.0.0.1:${door.port}` || host === `localhost:${door.port}`;
  // A forwarded socket has a port of the forwarder's.
  return /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/.test(host);
}

/**
 * What the one who asks may do. The socket alone is enough to read and write; what a person decides takes a person's token
 * there, too, since agents run as the same user. Throws a ClewError.
 */
export function authorize(
  effect: Operation["effect"] | "hooks",
  {
    headers: { authorization },
    door,
    tokens,
  }: { headers: IncomingHttpHeaders; door: Door; tokens: Pick<Tokens, "check" | "refusalOf"> },
): TokenGrant | undefined {
  const token = bearerToken(authorization);
  const grant = token === undefined ? undefined : tokens.check(token);
  if (authorization !== undefined && !grant)
    throw unauthorized(token === undefined ? noBearer(authorization) : tokens.refusalOf(token));
  if (door.kind === "loopback") {
    if (!grant) throw unauthorized("a token is needed");
    door.admit();
  }
  if (!grant && effect === "decides") throw unauthorized("only a person decides this: a token is needed");
  if (grant?.hooksOnly && effect !== "hooks") {
    const hint = "clew daemon token makes one that may more";
    throw new ClewError("no_permission", "this token may only tell hooks", hint);
  }
  if (grant?.readOnly && effect !== "reads") {
    const hint = "clew daemon token makes one that may";
    throw new ClewError("no_permission", "this token may only read", hint);
  }
  return grant;
}

/** What is wrong with an Authorization that has no token. It is not repeated: it may be a password. */
function noBearer(authorization: string): string {
  const isBearer = /^bearer *$/i.test(authorization);
  return isBearer ? "the token is empty" : "the Authorization does not begin with Bearer";
}

function unauthorized(message: string): ClewError {
  return new ClewError("unauthorized", message, "clew daemon token makes one; send it as Authorization: Bearer TOKEN");
}

function foreign(message: string): ClewError {
  return new ClewError("no_permission", message, "ask 127.0.0.1 or the daemon's socket, without an Origin");
}
