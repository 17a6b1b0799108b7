import { join } from "node:path";
import { claudeEngine } from "../../src/adapters/engines/claude/engine.ts";
import { engineFinder } from "../../src/adapters/engines/find-engine.ts";
import { engineConformance } from "./engine-conformance.ts";

engineConformance({
  name: "claude",
  open: (env) => claudeEngine(engineFinder(env, {}), [process.execPath, "dist/clew.cjs"]),
  asks: {
    level: "read",
    tool: (folder) => ({ kind: "write", input: { path: join(folder, "asked.txt"), content: "asked\n" } }),
  },
  afterCut: "recovers",
  atMuteServer: "goes_on",
  // Each retry waits longer than the one before.
  env: { CLAUDE_CODE_MAX_RETRIES: "2" },
});
