import type { BeadPlace } from "../../app/bead/ports.ts";
import type { Locks } from "../files/lock.ts";
import { unknownActor } from "./actor.ts";
import { probeBd } from "./bd-probe.ts";
import { beadProgram, isInstalled, notInstalled } from "./bead-program.ts";
import { programBeads } from "./program-beads.ts";
import type { BeadKeeper } from "./bead-keeper.ts";

interface Parts {
  root: string;
  env: Record<string, string | undefined>;
  actor: string | undefined;
  locks: () => Promise<Locks>;
}

/** The beads behind a program. Undefined when `br` is not installed: then its file can be read. */
export function openProgram(
  keeper: BeadKeeper,
  name: "bd" | "br",
  { root, env, actor, locks }: Parts,
): BeadPlace | undefined {
  const program = beadProgram({ keeper, name, root, env });
  if (name === "br" && !isInstalled(name, root, env)) return undefined;
  return programBeads({
    program,
    actor: actor ?? unknownActor,
    withLock: async (work) => (await locks()).with("beads", work),
    async probe() {
      if (!isInstalled(name, root, env)) throw notInstalled(name, keeper.displayPath);
      if (name === "bd") await probeBd(program, keeper);
    },
  });
}
