import { engineStarts } from "../adapters/engines/start-problem.ts";
import { startBranch } from "../adapters/git/start-branch.ts";
import type { Repository } from "../adapters/git/repository.ts";
import { refuseForeign } from "../adapters/git/worktrees/worktree-folder.ts";
import { refuseTempFolder } from "../adapters/shell/temp-folder.ts";
import type { BeadStore } from "../app/bead/ports.ts";
import type { StartRules } from "../app/run/refusals.ts";
import { openDependencies } from "../bead/readiness.ts";
import type { Settings } from "../contract/settings.ts";
import type { Redactor } from "../redact/redactor.ts";
import { openEngines } from "./engines.ts";

interface Parts {
  repository: Repository;
  beads: Pick<BeadStore, "all" | "refuseUnwritable">;
  redactor: Redactor;
  /** The folder of the engines that come with the program. */
  engines: string;
  settings: Pick<Settings, "engines">;
  env: Record<string, string | undefined>;
}

/** What runs and previews ask before a run begins. Reads only: no process, no file written, no lock. */
export function startRules({ repository, beads, redactor, engines, settings, env }: Parts): StartRules {
  return {
    engines: engineStarts(openEngines(engines, env, settings.engines)),
    redact: (text) => redactor.redact(text),
    branch: (target) => startBranch(repository, target),
    openDependencies: (bead) => openDependencies(bead, () => beads.all().beads),
    refuseForeignPlace: (beadId) => refuseForeign(repository.root, beadId),
    refuseTempFolder: () => refuseTempFolder(repository.root),
    refuseUnwritable: () => beads.refuseUnwritable(),
  };
}
