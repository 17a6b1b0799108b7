import { ClewError } from "../contract/errors.ts";
import type { ClientRequest } from "./transport.ts";

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
  if (method === "POST") {
    const headers = { accept: "application/json", "content-type": "application/json" };
    return { method, path, headers, body: JSON.stringify(Object.fromEntries(left)) };
  }
  const query = new URLSearchParams();
  for (const [name, value] of left) for (const each of [value].flat()) query.append(name, String(each));
  const suffix = query.size > 0 ? `?${query.toString()}` : "";
  return { method, path: `${path}${suffix}`, headers: { accept: "application/json" } };
}
