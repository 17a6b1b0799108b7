import { workStateFiles } from "../adapters/files/work-state-files.ts";
import { workClaims } from "../adapters/journal-file/work-claims.ts";
import { paths } from "../adapters/layout.ts";
import { thisProcess } from "../adapters/shell/process-name.ts";
import { bootName } from "../adapters/system/system.ts";
import type { SessionParts } from "../app/session/parts.ts";
import type { SessionRecords } from "../app/session/ports.ts";
import type { WorkClaims } from "../app/work/ports.ts";
import { waitingWork } from "../app/work/waiting.ts";
import { isWorkOpen } from "../app/work/work-holder.ts";
import type { WorkItem } from "../contract/api/inbox.ts";
import type { Ground } from "./wire-ground.ts";

/** The claims of work sessions. */
export function openWorkClaims({ disk, layout, locks }: Ground, records: SessionRecords): WorkClaims {
  const boot = bootName();
  return workClaims({
    disk,
    folder: paths.claims(layout),
    locks,
    self: () => thisProcess(boot),
    isOpen: (session) => isWorkOpen(records, session),
  });
}

/** The work sessions that a person has to see to. */
export async function openWaitingWork(
  ground: Ground,
  { records, redact }: Pick<SessionParts, "records" | "redact">,
): Promise<WorkItem[]> {
  const { disk, layout, locks } = ground;
  const states = workStateFiles({ disk, folder: paths.workStates(layout), locks, redact: await redact() });
  return waitingWork({ claims: openWorkClaims(ground, records), states, records });
}
