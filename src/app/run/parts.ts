import type { RunHost } from "../../run/run-host.ts";
import type { RunBeads } from "./bead-of-run.ts";
import type { Claims, RunStore } from "./ports.ts";
import type { RunSessions } from "./session/ports.ts";

/** What starting a run and driving one both need. */
export interface RunParts {
  host: RunHost;
  store: RunStore;
  claims: Claims;
  beads: RunBeads;
  sessions: RunSessions;
}
