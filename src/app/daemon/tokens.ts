import type { ListedToken } from "../../contract/api/daemon.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Tokens } from "./ports.ts";

interface WantedToken {
  name?: string | undefined;
  read_only: boolean;
  hooks_only?: boolean | undefined;
  expires?: string | undefined;
}

const maxNameChars = 100;

/** Makes a token, once what is said of it was checked. */
export async function createToken(
  tokens: Pick<Tokens, "create">,
  { name, read_only: readOnly, hooks_only: hooksOnly = false, expires }: WantedToken,
  nowMs: number,
): Promise<ListedToken & { token: string }> {
  if (name !== undefined && (name.trim() === "" || name.length > maxNameChars)) {
    const hint = "a few words that tell you what it is for: --name laptop";
    throw new ClewError("invalid_input", `a token's name has 1 to ${maxNameChars} characters`, hint);
  }
  const ms = expires === undefined ? Infinity : Date.parse(expires);
  if (!(ms > nowMs)) {
    const hint = "name a later moment, such as 30d or 2030-01-01";
    throw new ClewError("invalid_input", `a token that expires ${expires} would never count`, hint);
  }
  if (readOnly && hooksOnly) {
    const hint = "one token for each: --read-only, or --hooks";
    throw new ClewError("invalid_input", "a token that tells hooks may not read", hint);
  }
  const until = expires === undefined ? undefined : new Date(ms).toISOString();
  return tokens.create({ name, readOnly, hooksOnly, expires: until });
}

export async function revokeToken(tokens: Pick<Tokens, "revoke">, id: string): Promise<{ id: string; revoked: true }> {
  if (await tokens.revoke(id)) return { id, revoked: true };
  throw new ClewError("unknown_token", `there is no token ${JSON.stringify(id)}`, "clew daemon token list");
}
