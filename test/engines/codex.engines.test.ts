import { join } from "node:path";
import { engineFinder } from "../../src/adapters/engines/programs.ts";
import { codexEngine } from "../../src/adapters/engines/codex/engine.ts";
import { engineConformance } from "./engine-conformance.ts";

engineConformance({
  name: "codex",
  open: (env) => codexEngine(engineFinder(env, {})),
  asks: {
    level: "read",
    tool: (folder) => ({ kind: "write", input: { path: join(folder, "asked.txt"), content: "asked\n" } }),
  },
  afterCut: "recovers",
});
