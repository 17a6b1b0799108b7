import type { HooksApi } from "../../contract/api/hook.ts";
import { ClewError } from "../../contract/errors.ts";
import type { HookScope } from "../../contract/hook.ts";
import { hooksApi } from "./install.ts";

type Parts = Omit<Parameters<typeof hooksApi>[0], "daemonUrl" | "prepare">;

/** Hooks outside a repository: those in the user's own settings. */
export function userHooksApi(parts: Parts): HooksApi {
  const api = hooksApi({
    ...parts,
    prepare: () => undefined,
    daemonUrl: async () => refuse("a daemon to tell", "leave out --http"),
  });
  return {
    // What is written is to be said; what is shown or taken out can only be the user's own here.
    install: async (wanted) =>
      wanted.scope === "user" ? api.install(wanted) : refuse("a checkout with settings", "--scope user for your own"),
    uninstall: async (wanted) => api.uninstall({ ...wanted, scope: userScope(wanted.scope) }),
    status: async (wanted) => api.status({ ...wanted, scope: userScope(wanted.scope) }),
  };
}

function userScope(scope: HookScope | undefined): "user" {
  return scope === undefined || scope === "user"
    ? "user"
    : refuse("a checkout with settings", "--scope user for your own");
}

function refuse(what: string, wayOut: string): never {
  throw new ClewError("not_a_repository", `this is no repository, and has not ${what}`, `go into one, or ${wayOut}`);
}
