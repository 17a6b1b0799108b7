import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { geminiEngine } from "../../src/adapters/engines/gemini/engine.ts";
import { engineFinder } from "../../src/adapters/engines/find-engine.ts";
import { engineConformance } from "./engine-conformance.ts";

engineConformance({
  name: "gemini",
  open: (env) => geminiEngine(engineFinder(env, {})),
  asks: {
    level: "read",
    tool: (folder) => ({ kind: "write", input: { path: join(folder, "asked.txt"), content: "asked\n" } }),
  },
  afterCut: "fails",
  atMuteServer: "waits",
  // Its file of a session is named after the minute: loaded within that minute, the session is written over.
  beforeResume: () => pause(60_000 - (Date.now() % 60_000)),
  // Without one it asks the model which model to ask, and tries that for minutes.
  env: { GEMINI_MODEL: "gemini-2.5-pro" },
});
