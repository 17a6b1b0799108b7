import { createHash, timingSafeEqual } from "node:crypto";

/** The token in an `Authorization` header; undefined when there is none of that kind. */
export function bearerToken(header: string | undefined): string | undefined {
  const [scheme = "", token] = (header ?? "").split(" ", 2);
  return scheme.toLowerCase() === "bearer" && token ? token : undefined;
}

/** Whether both are the same. How long it takes tells nothing of either. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
