import { sessionDrivers } from "../adapters/files/session-drivers.ts";
import { workStateFiles } from "../adapters/files/work-state-files.ts";
import { checkoutAround } from "../adapters/git/checkout.ts";
import { branchIn } from "../adapters/git/branch-in.ts";
import { headBranch } from "../adapters/git/refs.ts";
import { paths } from "../adapters/layout.ts";
import { agentMark } from "../adapters/shell/process-marks.ts";
import { endSurvivors } from "../adapters/shell/survivors.ts";
import { newId } from "../adapters/system/system.ts";
import type { LiveChats } from "../app/agent/live-chats.ts";
import type { BeadStore } from "../app/bead/ports.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import type { GrimoireParts } from "../app/grimoire/grimoires.ts";
import { unfinishedRunOf } from "../app/run/claimed-beads.ts";
import type { LogParts } from "../app/session/log.ts";
import { renderSpell } from "../app/spell/render.ts";
import type { WorkParts } from "../app/work/parts.ts";
import { openDependencies } from "../bead/readiness.ts";
import type { Data } from "../grimoire/template/unknown.ts";
import type { Program } from "./program.ts";
import { openTalks } from "./wire-agents.ts";
import type { Ground } from "./wire-ground.ts";
import type { OpenedRuns } from "./wire-runs.ts";
import { openWorkClaims } from "./wire-work-claims.ts";

interface WorkWiring {
  cwd: string;
  program: Program;
  log: LogParts;
  find: WorkParts["find"];
  beads: BeadStore;
  runs: OpenedRuns;
  grimoires: GrimoireParts;
  chats: LiveChats;
  caller: WorkParts["caller"];
  rehydrations: WorkParts["agents"]["rehydrations"];
  rehydrate: HookAnswerer;
  warn: WorkParts["warn"];
}

/** Puts together what works on beads in work sessions. */
export async function openWork(ground: Ground, wiring: WorkWiring): Promise<WorkParts> {
  const { disk, layout, locks, settings, repository } = ground;
  const {
    cwd,
    program,
    log,
    find,
    beads: store,
    runs,
    grimoires,
    chats,
    caller,
    warn,
    rehydrations,
    rehydrate,
  } = wiring;
  const checkout = checkoutAround(cwd) ?? { folder: layout.root, gitDir: repository.gitDir };
  const talks = await openTalks(ground, {
    cwd,
    program,
    log: async () => log,
    find,
    agents: grimoires,
    chats,
    caller,
    rehydrations,
    rehydrate,
  });
  return {
    log,
    find,
    caller,
    warn,
    beads: {
      store,
      openDependencies: (bead) => openDependencies(bead, () => store.all().beads),
      unfinishedRunOf: (bead) => unfinishedRunOf(runs.checked, bead),
    },
    claims: openWorkClaims(ground, log.sessions.records),
    states: workStateFiles({ disk, folder: paths.workStates(layout), locks, redact: log.redact }),
    drivers: sessionDrivers(paths.workLocks(layout)),
    agents: {
      ...talks,
      repairs: settings.repair_results,
      renderPrompt: (data) => renderSpell(grimoires.files, "work", data as Data).text,
    },
    place: {
      folder: checkout.folder,
      branch: () => headBranch(checkout),
      branchIn,
      newMark: (session) => agentMark("work", session, newId()),
      endSurvivors: async (process) => void (await endSurvivors([process])),
    },
  };
}
