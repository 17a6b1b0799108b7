import type { DaemonApi, DaemonService } from "../../contract/api/daemon.ts";
import { refuseDaemonFromStep } from "../run/authority.ts";
import type { Caller } from "../run/ports.ts";
import { holderOf } from "./find.ts";
import type { Tokens } from "./ports.ts";
import type { Registration } from "./process-ports.ts";
import type { RunParts } from "./run.ts";
import { startDaemon, type StartParts } from "./start.ts";
import { stopDaemon } from "./stop.ts";
import { createToken, revokeToken } from "./tokens.ts";

/** What has the system start the daemon at login. */
export interface Services {
  /** `isRunning`: a daemon runs already, so that the system starts one at the next login only. */
  install(port: number | undefined, isRunning: boolean): Promise<DaemonService>;
  /** Does nothing when there is none. */
  remove(): Promise<void>;
}

interface Parts extends Omit<StartParts, "log" | "sockets">, RunParts {
  /** Of this program. */
  version: string;
  tokens: () => Promise<Tokens>;
  services: Services;
  drivenBy: (registration: Registration) => string[];
  caller: () => Caller;
  nowMs: () => number;
}

/** All but looking is a person's: what a step or an agent started gets no daemon and no token. */
export function daemonApi(parts: Parts): DaemonApi {
  const { place, tokens, services, log, version, drivenBy } = parts;
  const refuseFromStep = (): void => refuseDaemonFromStep(parts.caller());
  return {
    async status() {
      const found = holderOf(place);
      // One whose repository was moved here is about to end, and cannot be reached from here.
      const holder = found?.registration.root === parts.root ? found : undefined;
      const driving = holder ? drivenBy(holder.registration) : [];
      return { daemon: holder?.daemon ?? null, version, log: log.path, driving };
    },
    async run({ port }, { signal } = {}) {
      refuseFromStep();
      const { runDaemon } = await import("./run.ts");
      return runDaemon(parts, port, signal);
    },
    async start({ port }) {
      refuseFromStep();
      return startDaemon(parts, port);
    },
    async stop(_, { signal } = {}) {
      refuseFromStep();
      return { stopped: await stopDaemon(parts, signal) };
    },
    async install({ remove, port }) {
      refuseFromStep();
      if (!remove) return { service: await services.install(port, holderOf(place) !== undefined) };
      await services.remove();
      return { service: null };
    },
    async createToken(request) {
      refuseFromStep();
      return createToken(await tokens(), request, parts.nowMs());
    },
    listTokens: async () => ({ tokens: (await tokens()).list() }),
    async revokeToken({ id }) {
      refuseFromStep();
      return revokeToken(await tokens(), id);
    },
  };
}
