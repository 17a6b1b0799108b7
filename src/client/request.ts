import type { ClientRequest } from "./transport.ts";

/** The request that asks an operation: `GET /workflows/{run}` with the fields of its request. */
export function requestOf(route: string, fields: Record<string, unknown>): ClientRequest {
  const [method = "", pattern = ""] = route.split(" ");
  const left = new Map(Object.entries(fields).filter(([, value]) => value !== undefined));
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    // Only sessions need not be named.
    return encodeURIComponent(typeof value === "string" ? value : "active");
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
