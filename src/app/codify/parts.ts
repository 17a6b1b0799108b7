import type { Bead } from "../../contract/bead.ts";
import type { OwnFolders } from "../../learn/codify/own-roots.ts";
import type { GrimoireParts } from "../grimoire/grimoires.ts";
import type { RunStore } from "../run/ports.ts";
import type { SessionParts } from "../session/parts.ts";
import type { PlanningParts } from "../turn/parts.ts";

/** What it takes to make workflows of sessions. */
export interface CodifyParts {
  sessions: SessionParts;
  find: (name: string | undefined) => Promise<string>;
  /** The journals of runs, opened when a run's session is codified. */
  runs: () => Promise<Pick<RunStore, "exists" | "lines">>;
  /** Undefined when there is no such bead, or it cannot be read now. */
  bead: (id: string) => Promise<Bead | undefined>;
  /** Checks what was made, and knows the spells as they are now. */
  grimoires: GrimoireParts;
  /** The repository's folders, as sessions name them. */
  folders: OwnFolders;
  /** Loaded when an agent is asked. */
  asking: () => Promise<PlanningParts>;
}
