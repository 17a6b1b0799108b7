import type { BeadPlace } from "../../app/bead-port.ts";
import type { Locks } from "../files/lock.ts";
import { probeBd } from "./bd-probe.ts";
import { beadProgram, isInstalled, notInstalled } from "./bead-program.ts";
import { programBeads } from "./program-beads.ts";
import type { Workspace } from "./workspace.ts";

interface Parts {
  root: string;
  env: Record<string, string | undefined>;
  actor: string;
  locks: () => Promise<Locks>;
}

/** The beads behind a program. Without `br` there is still its file to read: undefined then. */
export async function openProgram(
  workspace: Workspace,
  name: "bd" | "br",
  { root, env, actor, locks }: Parts,
): Promise<BeadPlace | undefined> {
  const program = beadProgram({ workspace, name, root, env });
  const isThere = isInstalled(name, root, env);
  if (!isThere && name === "br") return undefined;
  return programBeads({
    program,
    actor,
    exclusively: async (work) => (await locks()).with("beads", work),
    async probe() {
      if (!isThere) throw notInstalled(name, workspace.shown);
      if (name === "bd") await probeBd(program, workspace);
    },
  });
}
