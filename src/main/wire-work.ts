import { thisProcess } from "../adapters/journal-file/claim-files.ts";
import { workClaims } from "../adapters/journal-file/work-claims.ts";
import { paths } from "../adapters/layout.ts";
import { bootName } from "../adapters/system/system.ts";
import type { SessionRecords } from "../app/session/ports.ts";
import { isWorkOpen } from "../app/work/held.ts";
import type { WorkClaims } from "../app/work/ports.ts";
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
