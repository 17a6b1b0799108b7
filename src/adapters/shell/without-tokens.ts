import { apiTokenForm } from "../../contract/api-token.ts";

type Env = Record<string, string | undefined>;

/** An environment without the variables that hold a person's token for the daemon: with it, a step or an agent could decide as that person. */
export function withoutTokens(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => !apiTokenForm.test(value ?? "")));
}
