import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** A new token. By its beginning, the redactor knows one wherever it stands. */
export function newToken(): string {
  return `clew_mcp_${randomBytes(32).toString("base64url")}`;
}

/** Whether an `Authorization` header carries this token. How long it takes tells nothing of the token. */
export function isAuthorized(header: string | undefined, token: string): boolean {
  const [scheme = "", given = ""] = (header ?? "").split(" ", 2);
  return scheme.toLowerCase() === "bearer" && timingSafeEqual(digest(given), digest(token));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
