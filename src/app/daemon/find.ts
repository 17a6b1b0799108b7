import type { DaemonInfo } from "../../contract/api/daemon.ts";
import type { DaemonPlace, Registration } from "./process-ports.ts";

/** The process that has the daemon's place. */
export interface Holder {
  registration: Registration;
  /** Undefined while it does not listen yet, or not any more. */
  daemon: DaemonInfo | undefined;
}

/**
 * The process that has the daemon's place now; undefined when none has, or when it cannot be seen from here. A registration
 * counts for nothing when a crash left it, when another process has its number by now, and when it came with a copy of the
 * repository's folder.
 */
export function holderOf(place: DaemonPlace): Holder | undefined {
  const registration = place.registered();
  if (!registration || !place.isAlive(registration) || !place.isTaken()) return undefined;
  return { registration, daemon: registration.is_ending ? undefined : daemonInfo(registration) };
}

/** Undefined before it listens. */
export function daemonInfo({ id, pid, program, started, root, socket, url }: Registration): DaemonInfo | undefined {
  return socket === null ? undefined : { id, pid, version: program, started, root, socket, url };
}
