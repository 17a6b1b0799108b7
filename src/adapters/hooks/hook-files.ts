import type { HookFiles } from "../../app/hook/ports.ts";
import { hookPaths, isSpoolId } from "../layout/hook-paths.ts";
import { appendLine } from "./append-line.ts";
import { markOpen } from "./open-marks.ts";

/** Keeps calls of hooks in Clew's own folder of a repository. */
export function hookFiles(home: string): HookFiles {
  return {
    spool(engine, session, line) {
      if (!isSpoolId(session)) throw new Error("session_id is none that can name a file");
      const name = { engine, session };
      // Before and after: what takes the line in removes the mark when it has all, and may do so just now.
      markOpen(home, name);
      appendLine(hookPaths.spool(home, name), line);
      markOpen(home, name);
    },
    evidence(owner, line) {
      appendLine(hookPaths.evidence(home, owner), line);
    },
  };
}
