import { join, resolve } from "node:path";
import { qwenEngine } from "../../src/adapters/engines/qwen/engine.ts";
import { engineFinder } from "../../src/adapters/engines/find-engine.ts";
import { engineConformance } from "./engine-conformance.ts";

engineConformance({
  name: "qwen",
  open: (env) => qwenEngine(engineFinder(env, {}), [process.execPath, resolve("dist/clew.cjs")], env),
  asks: {
    level: "read",
    tool: (folder) => ({ kind: "write", input: { path: join(folder, "asked.txt"), content: "asked\n" } }),
  },
  afterCut: "recovers",
  atMuteServer: "goes_on",
});
