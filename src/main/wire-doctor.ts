import { hookChecks } from "../adapters/hooks/checks.ts";
import { sessionDrivers } from "../adapters/files/session-drivers.ts";
import { turnPaths } from "../adapters/layout/turn-paths.ts";
import { turnChecks } from "../adapters/turns/checks.ts";
import { systemChecks } from "../adapters/system/checks.ts";
import type { DaemonPlace } from "../app/daemon/process-ports.ts";
import { doctorApi } from "../app/doctor/api.ts";
import { engineCheck } from "../app/doctor/engine-check.ts";
import { projectionChecks } from "../app/doctor/examine.ts";
import { groundChecks } from "../app/doctor/ground-checks.ts";
import { runChecks } from "../app/doctor/run-checks.ts";
import { workChecks } from "../app/doctor/work-checks.ts";
import type { SessionParts } from "../app/session/parts.ts";
import type { WorkClaims } from "../app/work/ports.ts";
import type { WorktreeParts } from "../app/worktree/worktrees.ts";
import type { Api } from "../contract/api/api.ts";
import type { Program } from "./program.ts";
import { openDaemonChecks } from "./wire-daemon.ts";
import { openProbes } from "./wire-engines.ts";
import type { Ground } from "./wire-ground.ts";
import type { OpenedRuns } from "./wire-runs.ts";

interface Wiring {
  sessions: SessionParts;
  program: Program;
  runs: () => Promise<OpenedRuns["checked"]>;
  worktrees: () => Promise<WorktreeParts>;
  place: DaemonPlace;
  workClaims: () => Promise<WorkClaims>;
}

/** Puts together what checks everything that Clew relies on, in the order in which it is told. */
export function openDoctor(
  ground: Ground,
  { sessions, program, runs, worktrees, place, workClaims }: Wiring,
): Api["doctor"] {
  const { layout, settings, env } = ground;
  return doctorApi([
    ...systemChecks({ ...ground, commonDir: ground.repository.commonDir }),
    ...projectionChecks(sessions),
    ...groundChecks(runs),
    engineCheck(openProbes(program, env, settings, layout.root), settings.engine),
    ...runChecks(runs, worktrees),
    ...openDaemonChecks(ground, place, program),
    ...hookChecks(layout.home),
    ...turnChecks(ground.disk, layout, sessionDrivers(turnPaths.locks(layout))),
    ...workChecks(workClaims),
  ]);
}
