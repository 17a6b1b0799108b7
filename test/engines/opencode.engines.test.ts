import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { opencodeEngine } from "../../src/adapters/engines/opencode/engine.ts";
import { engineFinder } from "../../src/adapters/engines/find-engine.ts";
import { ended } from "../../src/adapters/engines/live-agent.fixture.ts";
import { askedEngines } from "./asked-engines.ts";
import { engineConformance } from "./engine-conformance.ts";
import { realEnvironment, startReal } from "./real-agent.ts";
import { realEngine } from "./real-engine.ts";

const open = (env: Record<string, string>) => opencodeEngine(engineFinder(env, {}), env);

engineConformance({
  name: "opencode",
  open,
  asks: {
    level: "read",
    tool: (folder) => ({ kind: "write", input: { path: join(folder, "asked.txt"), content: "asked\n" } }),
  },
  afterCut: "recovers",
  atMuteServer: "waits",
});

describe.runIf(askedEngines().includes("opencode"))("the real opencode in a repository with settings", () => {
  test("D6 a repository's settings allow nothing that the level does not", async () => {
    const command = "echo ran > ran.txt";
    await using real = await realEngine("opencode", { turns: [{ tool: { kind: "shell", input: { command } } }] });
    const permission = { bash: { "*": "allow" }, edit: "allow", "*": "allow" };
    const settings = { permission, agent: { build: { permission } } };
    writeFileSync(join(real.folder, "opencode.json"), JSON.stringify(settings));
    const engine = open(realEnvironment(real));
    const live = startReal(real, engine, { level: "read", until: "answer", answers: "reject_once" });
    await ended(live);
    expect(live.events.filter(({ type }) => type === "permission")).toMatchObject([
      { action: { kind: "run", command } },
    ]);
    expect(existsSync(join(real.folder, "ran.txt"))).toBe(false);
  });
});
