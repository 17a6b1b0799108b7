import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codexEngine } from "../../src/adapters/engines/codex/engine.ts";
import type { Engine } from "../../src/adapters/engines/engine.ts";
import { ended } from "../../src/adapters/engines/live-agent.fixture.ts";
import { engineFinder } from "../../src/adapters/engines/find-engine.ts";
import { askedEngines } from "./asked-engines.ts";
import { engineConformance } from "./engine-conformance.ts";
import { optionOf, realEnvironment, startReal } from "./real-agent.ts";
import { realEngine } from "./real-engine.ts";

const open = (env: Record<string, string>): Engine => codexEngine(engineFinder(env, {}));

engineConformance({
  name: "codex",
  open,
  asks: {
    level: "read",
    tool: (folder) => ({ kind: "write", input: { path: join(folder, "asked.txt"), content: "asked\n" } }),
  },
  afterCut: "recovers",
  atMuteServer: "goes_on",
});

describe.runIf(askedEngines().includes("codex"))("the real codex", { timeout: 120_000 }, () => {
  test("H9 at level work it edits and runs in its folder unasked, and writes neither to .git nor elsewhere", async () => {
    const outside = `/var/tmp/clew-outside-${process.pid}.txt`;
    const command = `echo in > in.txt; echo git > .git/of-an-agent; echo out > ${outside}; echo over`;
    await using real = await realEngine("codex", (folder) => ({
      turns: [
        { tool: { kind: "write", input: { path: join(folder, "edited.txt"), content: "edited\n" } } },
        { tool: { kind: "shell", input: { command } } },
        { say: "I tried." },
      ],
    }));
    const live = startReal(real, open(realEnvironment(real)), { until: "answer" });
    expect(await ended(live)).toMatchObject({ outcome: "completed" });
    expect(live.events.filter(({ type }) => type === "permission")).toEqual([]);
    expect(readFileSync(join(real.folder, "edited.txt"), "utf8")).toBe("edited\n");
    expect(readFileSync(join(real.folder, "in.txt"), "utf8")).toBe("in\n");
    // The command itself ran to its end.
    expect(real.model.rounds.at(-1)?.news).toMatch(/\bover\b/);
    expect(existsSync(join(real.folder, ".git/of-an-agent"))).toBe(false);
    expect(existsSync(outside)).toBe(false);
  });

  test("H9 a command that wants to leave the sandbox is asked for as the model wrote it", async () => {
    const cmd = "echo \"it's out\" > '.git/of an agent'";
    const input = { cmd, sandbox_permissions: "require_escalated", justification: "May I?" };
    await using real = await realEngine("codex", {
      turns: [{ tool: { name: "exec_command", input } }, { say: "Done." }],
    });
    const live = startReal(real, open(realEnvironment(real)), { until: "answer" });
    const permission = await live.seen("permission");
    expect(permission).toMatchObject({
      action: { kind: "run", command: cmd },
      input: { command: cmd, reason: "May I?" },
    });
    live.agent.answer(permission.id, optionOf(permission, "allow_once"));
    expect(await ended(live)).toMatchObject({ outcome: "completed" });
    expect(readFileSync(join(real.folder, ".git/of an agent"), "utf8")).toBe("it's out\n");
  });

  test("H9 a stop while it waits for a permission takes the question back and leaves no process", async () => {
    const input = { cmd: "ls", sandbox_permissions: "require_escalated", justification: "May I?" };
    await using real = await realEngine("codex", { turns: [{ tool: { name: "exec_command", input } }] });
    const live = startReal(real, open(realEnvironment(real)));
    await live.seen("permission");
    live.agent.stop();
    expect(await ended(live)).toMatchObject({ outcome: "interrupted" });
    expect(live.events.filter(({ type }) => type === "permission").at(-1)).toMatchObject({ withdrawn: true });
  });

  test("H9 a result comes in the strict form that its model is asked for", async () => {
    const outputs = [{ name: "answer", value: "42" }];
    const say = JSON.stringify({ success: true, summary: "It is done.", outputs });
    await using real = await realEngine("codex", { turns: [{ say }] });
    const end = await ended(startReal(real, open(realEnvironment(real)), { until: "result" }));
    const result = { success: true, summary: "It is done.", outputs: { answer: 42 } };
    expect(end).toMatchObject({ outcome: "completed", verdict: { success: true, result } });
    expect(real.model.rounds[0]?.body).toMatchObject({ text: { format: { type: "json_schema", strict: true } } });
  });

  test("H9 a session that it does not know is told in words", async () => {
    await using real = await realEngine("codex", { turns: [] });
    const resume = "01a1e926-5b83-7133-a586-9064f0ac7677";
    const end = await ended(startReal(real, open(realEnvironment(real)), { until: "answer", resume }));
    expect(end).toMatchObject({ outcome: "failed", verdict: { success: false } });
    expect(end.verdict.success || end.verdict.error).toMatch(/could not go on with thread 01a1e926.*no rollout found/);
    expect(real.model.rounds).toEqual([]);
  });
});
