import type { NamedDependency } from "../../contract/api/bead-shapes.ts";
import type { BeadDependency } from "../../contract/bead.ts";
import { redactWhereText } from "../../redact/redact-value.ts";
import type { Redact, Redacted } from "../../contract/redacted.ts";
import type { Caller } from "../run/ports.ts";
import type { Clock, Ids } from "../session/ports.ts";
import type { BeadStore } from "./ports.ts";

/** What every change of beads needs. */
export interface BeadParts {
  store: BeadStore;
  clock: Clock;
  ids: Ids;
  redact: () => Promise<Redact>;
  /** The work session that holds a bead, for each that is held so. */
  held: () => Promise<ReadonlyMap<string, string>>;
  /** The process that asks for all this. */
  caller: () => Promise<Caller>;
  /** Who makes beads and dependencies; undefined when that is unknown. */
  actor: string | undefined;
}

export function timeNow({ clock }: BeadParts): string {
  return new Date(clock.now()).toISOString();
}

/** Only what a command brings; what stands in the file already is not ours to change. */
export async function redactFields<T>({ redact }: BeadParts, value: T): Promise<Redacted<T>> {
  return redactWhereText(value, redact);
}

export function newDependency(parts: BeadParts, from: string, { type, id }: NamedDependency): BeadDependency {
  const by = parts.actor;
  const created = { created_at: timeNow(parts), ...(by !== undefined && { created_by: by }) };
  return { issue_id: from, depends_on_id: id, type, ...created };
}
