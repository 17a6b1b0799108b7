import type { Redact } from "../../contract/redacted.ts";
import type { Settings } from "../../contract/settings.ts";
import type { SessionOwners } from "./owner.ts";
import type { BreadcrumbFiles, Clock, SessionRecords, Surroundings } from "./ports.ts";
import type { Projections } from "./projections.ts";

/** What the functions on sessions need; most take a part of it. */
export interface SessionParts {
  records: SessionRecords;
  breadcrumbs: BreadcrumbFiles;
  projections: Projections;
  surroundings: Surroundings;
  clock: Clock;
  /** Loaded when something is written. */
  redact: () => Promise<Redact>;
  owners: SessionOwners;
  /** Makes sessions of what agents told their hooks. Never throws. */
  takeInHooks?: () => Promise<void>;
  settings: Pick<Settings, "save" | "channel" | "idle_timeout" | "subagent_mode">;
  ground: SessionGround;
}

/** What the start of a session needs beside that. */
export interface SessionGround {
  /** Makes the folders that a first session needs. */
  prepare: () => void;
  /** Writes any script in ASCII letters; loaded when a title needs it. */
  toAscii: () => Promise<(text: string) => string>;
}
