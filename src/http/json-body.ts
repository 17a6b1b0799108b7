import type { IncomingHttpHeaders } from "node:http";

/** What keeps a body from being JSON, by its headers; undefined when nothing does. */
export function contentProblem(headers: IncomingHttpHeaders): string | undefined {
  const type = headers["content-type"] ?? "";
  if (!/^application\/json *(?:; *charset="?utf-8"? *)?$/i.test(type)) {
    return "the Content-Type must be application/json";
  }
  if (!["", "identity"].includes(headers["content-encoding"] ?? "")) return "the body must not be compressed";
  return undefined;
}
