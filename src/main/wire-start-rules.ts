import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { startBranch } from "../adapters/git/start-branch.ts";
import type { Repository } from "../adapters/git/repository.ts";
import { refuseForeign } from "../adapters/git/worktrees/worktree-folder.ts";
import type { BeadStore } from "../app/bead-port.ts";
import type { StartRules } from "../app/run-refusals.ts";
import { openDependencies } from "../bead/readiness.ts";
import { ClewError } from "../contract/errors.ts";
import type { Redactor } from "../redact/redactor.ts";
import { openEngines } from "./engines.ts";

interface Parts {
  repository: Repository;
  beads: Pick<BeadStore, "all" | "refuseUnwritable">;
  redactor: Redactor;
  /** The folder of the engines that come with the program. */
  engines: string;
}

/** What runs and previews ask before a run begins. Reads only: no process, no file written, no lock. */
export function startRules({ repository, beads, redactor, engines }: Parts): StartRules {
  const known = openEngines(engines);
  return {
    engines: known.map(({ name }) => name),
    engineProblem(name, settings) {
      const start = known.find((engine) => engine.name === name)?.start({ prompt: "", settings });
      return start && "reason" in start ? start.reason : undefined;
    },
    redact: (text) => redactor.redact(text),
    branch: (target) => startBranch(repository, target),
    openDependencies: (bead) => openDependencies(bead, () => beads.all().beads),
    refuseForeignPlace: (beadId) => refuseForeign(repository.root, beadId),
    refuseTempFolder: () => refuseTempFolder(resolve(tmpdir()), repository.root),
    refuseUnwritable: () => beads.refuseUnwritable(),
  };
}

/** Scripts and their values stand there while a step runs; a commit must not be able to take them in. */
export function refuseTempFolder(folder: string, root: string): void {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder && folder !== root && !folder.startsWith(`${root}/`)) return;
  const why = isFolder ? "stands inside the repository" : "is no folder";
  throw new ClewError("invalid_config", `TMPDIR: ${folder} ${why}`, "set TMPDIR to a folder outside, such as /tmp");
}
