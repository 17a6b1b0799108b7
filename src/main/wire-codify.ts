import { realPath } from "../adapters/files/real-path.ts";
import { rootPaths } from "../adapters/layout.ts";
import { ownRoots } from "../adapters/transcripts/own-folders.ts";
import type { BeadStore } from "../app/bead/ports.ts";
import { codifyApi } from "../app/codify/api.ts";
import type { CodifyParts } from "../app/codify/parts.ts";
import type { TurnParts } from "../app/turn/parts.ts";
import type { Api } from "../contract/api/api.ts";
import { ClewError } from "../contract/errors.ts";
import type { Program } from "./program.ts";
import { openGrimoires } from "./wire-definitions.ts";
import type { Ground } from "./wire-ground.ts";
import type { OpenedRuns } from "./wire-runs.ts";

interface CodifyWiring extends Pick<CodifyParts, "sessions" | "find"> {
  cwd: string;
  program: Program;
  runs: () => Promise<OpenedRuns>;
  beads: () => Promise<{ store: BeadStore }>;
  turns: () => Promise<TurnParts>;
}

/** Puts together what makes workflows of sessions. */
export function openCodify(
  { env, layout, repository }: Ground,
  { cwd, program, sessions, find, runs, beads, turns }: CodifyWiring,
): Api["codify"] {
  return codifyApi({
    sessions,
    find,
    runs: async () => (await runs()).checked.store,
    async bead(id) {
      try {
        return (await beads()).store.find(id);
      } catch (error) {
        if (error instanceof ClewError) return undefined;
        throw error;
      }
    },
    grimoires: openGrimoires({ cwd, env, program }),
    folders: {
      roots: ownRoots(repository),
      worktrees: [layout.root, realPath(layout.root)].map((root) => rootPaths.worktrees(root)),
    },
    asking: async () => (await turns()).planning(),
  });
}
