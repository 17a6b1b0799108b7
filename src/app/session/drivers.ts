import { ClewError } from "../../contract/errors.ts";

/** One process at a time has an agent at work in a session: in a work session, or in a talk. */
export interface SessionDrivers {
  /** Returns how to let go; undefined when another process drives it. Free as soon as its holder dies. */
  tryAcquire(session: string): (() => void) | undefined;
  /** Whether another process drives it. */
  isDriven(session: string): boolean;
}

/** Makes this process the one that drives a session; returns how to let go. Throws a ClewError when another one does. */
export function acquireSession(
  drivers: SessionDrivers,
  what: "work session" | "talk" | "turns",
  session: string,
): () => void {
  const release = drivers.tryAcquire(session);
  if (release) return release;
  throw new ClewError(
    "not_possible_now",
    what === "turns"
      ? `another process works on the turns of ${session}`
      : `another process drives the ${what} ${session}`,
    what === "turns"
      ? "wait until it is done, or end it there with Ctrl-C"
      : `clew session show ${session} -f follows it; Ctrl-C there pauses it`,
  );
}
