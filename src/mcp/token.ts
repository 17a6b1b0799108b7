import { randomBytes } from "node:crypto";
import { bearerToken, isSameSecret } from "../http/bearer.ts";

/** A new token. By its beginning, the redactor knows one wherever it stands. */
export function newToken(): string {
  return `clew_mcp_${randomBytes(32).toString("base64url")}`;
}

/** Whether an `Authorization` header carries this token. How long it takes tells nothing of the token. */
export function isAuthorized(header: string | undefined, token: string): boolean {
  return isSameSecret(bearerToken(header) ?? "", token);
}
