import { ClewError } from "../../contract/errors.ts";
import { daemonHookVariable } from "../../contract/hook.ts";
import type { TokenGrant } from "../daemon/ports.ts";

interface Parts {
  /** The daemon that runs here; its `url` is null when it listens on its socket alone. */
  daemon: { url: string | null } | undefined;
  /** What the token in the environment allows; undefined when there is none, or one that does not count. */
  grant: TokenGrant | undefined;
}

const port = "clew daemon start --port 4780";

/** Where engines can tell their hooks to the daemon. Throws a ClewError that says what to do first. */
export function hookUrlOf({ daemon, grant }: Parts): string {
  const refuse = (message: string, hint: string): ClewError => new ClewError("not_possible_now", message, hint);
  if (!daemon) throw refuse("no daemon runs here that hooks could be told", `${port}, then repeat the command`);
  if (daemon.url === null)
    throw refuse(
      "the daemon listens on no port, and engines know no sockets",
      `clew daemon stop && ${port}, then repeat the command`,
    );
  if (!grant || grant.readOnly) {
    const hint = `export ${daemonHookVariable}=$(clew daemon token --hooks) in the shell that starts the engine, then repeat the command there`;
    throw refuse(`${daemonHookVariable} holds no token by which hooks may be told here`, hint);
  }
  return daemon.url;
}
