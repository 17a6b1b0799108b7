import { randomBytes } from "node:crypto";

/** A new token. By its beginning, the redactor knows one wherever it stands. */
export function newToken(): string {
  return `clew_mcp_${randomBytes(32).toString("base64url")}`;
}
