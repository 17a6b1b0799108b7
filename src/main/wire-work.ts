import { workDrivers } from "../adapters/files/work-drivers.ts";
import { workStateFiles } from "../adapters/files/work-state-files.ts";
import { checkoutAround } from "../adapters/git/checkout.ts";
import { headBranch } from "../adapters/git/refs.ts";
import { workClaims } from "../adapters/journal-file/work-claims.ts";
import { paths } from "../adapters/layout.ts";
import { thisProcess } from "../adapters/shell/process-name.ts";
import { markOf } from "../adapters/shell/process-marks.ts";
import { endSurvivors } from "../adapters/shell/survivors.ts";
import { bootName, newId } from "../adapters/system/system.ts";
import type { LiveChats } from "../app/agent/live-chats.ts";
import type { BeadStore } from "../app/bead/ports.ts";
import type { GrimoireParts } from "../app/grimoire/grimoires.ts";
import { unfinishedRunOf } from "../app/run/claimed-beads.ts";
import type { LogParts } from "../app/session/log.ts";
import type { SessionRecords } from "../app/session/ports.ts";
import { renderSpell } from "../app/spell/render.ts";
import { isWorkOpen } from "../app/work/work-holder.ts";
import type { WorkParts } from "../app/work/parts.ts";
import type { WorkClaims } from "../app/work/ports.ts";
import { openDependencies } from "../bead/readiness.ts";
import type { Data } from "../grimoire/template/unknown.ts";
import type { Program } from "./program.ts";
import { openTalks } from "./wire-agents.ts";
import type { Ground } from "./wire-ground.ts";
import type { OpenedRuns } from "./wire-runs.ts";

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

interface WorkWiring {
  cwd: string;
  program: Program;
  log: LogParts;
  find: WorkParts["find"];
  beads: BeadStore;
  runs: OpenedRuns;
  grimoires: GrimoireParts;
  chats: LiveChats;
}

/** Puts together what works on beads in work sessions. */
export async function openWork(ground: Ground, wiring: WorkWiring): Promise<WorkParts> {
  const { disk, layout, locks, settings, repository } = ground;
  const { cwd, program, log, find, beads: store, runs, grimoires, chats } = wiring;
  const checkout = checkoutAround(cwd) ?? { folder: layout.root, gitDir: repository.gitDir };
  const talks = await openTalks(ground, { cwd, program, log: async () => log, find, agents: grimoires, chats });
  return {
    log,
    find,
    beads: {
      store,
      openDependencies: (bead) => openDependencies(bead, () => store.all().beads),
      unfinishedRunOf: (bead) => unfinishedRunOf(runs.checked, bead),
    },
    claims: openWorkClaims(ground, log.sessions.records),
    states: workStateFiles({ disk, folder: paths.workStates(layout), locks, redact: log.redact }),
    drivers: workDrivers(paths.workLocks(layout)),
    agents: {
      ...talks,
      repairs: settings.repair_results,
      renderPrompt: (data) => renderSpell(grimoires.files, "work", data as Data).text,
    },
    place: {
      folder: checkout.folder,
      branch: () => headBranch(checkout),
      newMark: (session) => markOf({ runId: session, path: "work" }, newId()),
      endSurvivors: async (process) => void (await endSurvivors([process])),
    },
  };
}
