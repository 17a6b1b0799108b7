import { routes } from "../contract/api/routes.ts";
import { ClewError } from "../contract/errors.ts";
import type { ClientRequest } from "./transport.ts";

const knownRoutes = new Set<string>(Object.values(routes));

/** The request that asks an operation: `GET /workflows/{run}` with the fields of its request. */
export function requestOf(route: string, fields: Record<string, unknown>): ClientRequest {
  const [method = "", pattern = ""] = route.split(" ");
  const left = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    // A dot alone would lead elsewhere.
    if (typeof value === "string" && !["", ".", ".."].includes(value)) return encodeURIComponent(value);
    // Only sessions need not be named.
    if (name === "session" && value === undefined) return "active";
    throw new ClewError(
      "usage",
      `${name}: ${value === undefined ? "is missing" : "is no name"}`,
      "it stands in the path of the request",
    );
  });
  // A name that is a word of the API would ask for something else: GET /beads/ready.
  if (path !== pattern && knownRoutes.has(`${method} ${path}`)) {
    const hint = "rename it, or ask by a longer part of its id";
    throw new ClewError("usage", `${path} is another request of the API: nothing of that name can be asked for`, hint);
  }
  // The same for each attempt at this call, so that it is done once.
  const once: Record<string, string> = method === "GET" ? {} : { "idempotency-key": crypto.randomUUID() };
  if (method === "POST") {
    const headers = { accept: "application/json", "content-type": "application/json", ...once };
    return { method, path, headers, body: JSON.stringify(Object.fromEntries(left)) };
  }
  const query = new URLSearchParams();
  for (const [name, value] of left) {
    // It would be left out, and that means all.
    if (Array.isArray(value) && value.length === 0)
      throw new ClewError("usage", `${name}: is an empty list`, "leave it out");
    for (const each of [value].flat()) query.append(name, String(each));
  }
  const suffix = query.size > 0 ? `?${query.toString()}` : "";
  return { method, path: `${path}${suffix}`, headers: { accept: "application/json", ...once } };
}
