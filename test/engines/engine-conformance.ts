import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Engine } from "../../src/adapters/engines/engine.ts";
import { ended, type Live } from "../../src/adapters/engines/live-agent.fixture.ts";
import { until } from "../../src/adapters/shell/children.fixture.ts";
import type { EngineEvent } from "../../src/contract/engine.ts";
import type { EngineAbilities, EngineManners, PermissionLevel } from "../../src/contract/engine-abilities.ts";
import { HttpResultTools } from "../../src/mcp/result-tools.ts";
import type { EngineName } from "../../tools/engines/programs.mjs";
import { askedEngines } from "./asked-engines.ts";
import type { ToolUse, Turn } from "./model/script.ts";
import { optionOf, realEnvironment, startReal } from "./real-agent.ts";
import { realEngine, type RealEngine, type ScriptIn } from "./real-engine.ts";
import { resultTurns, testFaults, usage, type Open } from "./fault-conformance.ts";

/** How the adapter of one engine is tested. All that it declares is held against the real program. */
export interface Conformance {
  name: EngineName;
  /** The adapter; `env` finds the program. */
  open(env: Record<string, string>): Engine;
  /** A call that goes beyond this level; made, it leaves `asked.txt` in the folder. */
  asks: { level: PermissionLevel; tool(folder: string): ToolUse };
  /** What becomes of a round whose stream was cut once. */
  afterCut: "recovers" | "fails";
  /** What it does when a server of tools never answers at its start. */
  atMuteServer: "goes_on" | "waits";
  /** Waits for what an engine needs before a session that was killed can go on. */
  beforeResume?(): Promise<void>;
  /** Beside what sends the engine to the model. */
  env?: Record<string, string>;
}

const patienceMs = 60_000;
const testMs = 180_000;

const longCommand: Turn = {
  when: "SLEEP",
  say: "I wait.",
  tool: { kind: "shell", input: { command: "echo begun > begun.txt; sleep 300" } },
};
const heard: Turn = { when: "GO-ON", say: "I heard it.", usage };

/** One suite for all engines, on their real programs against the model on loopback. */
export function engineConformance(suite: Conformance): void {
  const { name } = suite;
  // It reads the declarations only: the program is not looked for yet.
  const { abilities, manners } = suite.open({});

  async function open(script: ScriptIn): ReturnType<Open> {
    const real = await realEngine(name, script);
    Object.assign(real.env, suite.env);
    const engine = suite.open(realEnvironment(real));
    return { real, engine, [Symbol.asyncDispose]: () => real[Symbol.asyncDispose]() };
  }

  describe.runIf(askedEngines().includes(name))(`the adapter of the real ${name}`, { timeout: testMs }, () => {
    testWork(open, abilities);
    if (abilities.mcp) testResultTool(open);
    testMessages(open, abilities);
    testStops(open, abilities, suite);
    if (abilities.permissions) testPermissions(open, suite.asks, manners);
    testFaults(open, suite);
  });
}

function testWork(open: Open, abilities: EngineAbilities): void {
  test("H9 writes a file, runs a command and gives its result", async () => {
    await using opened = await open((folder) => ({
      turns: [
        { think: "First a file.", say: "I write.", tool: write(join(folder, "hello.txt")), usage },
        {
          say: "I run.",
          tool: { kind: "shell", input: { command: "expr 6 '*' 7 > answer.txt; cat answer.txt" } },
          usage,
        },
        ...resultTurns,
      ],
    }));
    const { real, engine } = opened;
    const live = startReal(real, engine, { until: "result", level: "full", answers: "allow_once" });
    const end = await ended(live);
    expect(end).toMatchObject({
      outcome: "completed",
      verdict: { success: true, result: { success: true, summary: "It is done.", outputs: { answer: 42 } } },
    });
    expect(readFileSync(join(real.folder, "hello.txt"), "utf8")).toBe("hello\n");
    expect(readFileSync(join(real.folder, "answer.txt"), "utf8")).toBe("42\n");
    expect(ofType(live, "init").at(-1)?.engine_session).toMatch(/./);
    expectWholeCalls(live);
    expect(ofType(live, "message").map(({ text }) => text)).toEqual(expect.arrayContaining(["I write.", "I run."]));
    expect(JSON.stringify(real.model.rounds[0]!.body)).toContain("Mend the roof.");
    if (abilities.usage === false) expect(end.usage).toBeUndefined();
    else expect(end.usage).toMatchObject(tokensOf(real));
    // Where the engine tells no cost, the table of prices may know its model.
    if (abilities.cost) expect(end.usage?.cost_usd).toBeGreaterThan(0);
  });
}

function testResultTool(open: Open): void {
  const call = (input: Record<string, unknown>): Turn => ({ mcp: { server: "clew", tool: "submit_result", input } });
  const given = { until: "result", level: "work", answers: "allow_once" } as const;

  test("W8 H7 the result comes by the tool submit_result, and is corrected after a refusal", async () => {
    const good = { success: true, summary: "By the tool.", outputs: { answer: 7 } };
    await using opened = await open({
      turns: [call({ success: true, summary: " " }), call(good), { say: "I am done." }],
    });
    const live = startReal(opened.real, opened.engine, { ...given, resultTools: new HttpResultTools("1") });
    const end = await ended(live);
    expect(
      ofType(live, "tool_result")
        .map(({ output }) => output)
        .join(),
    ).toContain("has no summary");
    expect(end).toMatchObject({ outcome: "completed", verdict: { success: true, result: good } });
  });
}

function testMessages(open: Open, abilities: EngineAbilities): void {
  test.runIf(abilities.send !== false)(
    `H9 a message while it works ${abilities.send}; one at rest is heard`,
    async () => {
      const command = "echo begun > begun.txt; sleep 3; echo over";
      await using opened = await open({
        turns: [{ when: "JOIN", say: "I wait.", tool: { kind: "shell", input: { command } } }, heard],
      });
      const { real, engine } = opened;
      const live = startReal(real, engine, { prompt: "JOIN now", level: "full", answers: "allow_once" });
      await begun(real);
      live.agent.send("GO-ON please");
      await live.seen("result", abilities.send === "joins" ? 1 : 2);
      expect(ofType(live, "message").at(-1)?.text).toBe("I heard it.");
      const hearing = real.model.rounds.find(({ news }) => news?.includes("GO-ON please"));
      // A message that joins comes with what the command printed, in one round.
      expect(/\bover\b/.test(hearing?.news ?? "")).toBe(abilities.send === "joins");
      const before = ofType(live, "result").length;
      live.agent.send("GO-ON again");
      await live.seen("result", before + 1);
      expect(real.model.rounds.at(-1)?.news).toContain("GO-ON again");
      live.agent.stop();
      expect(await ended(live)).toMatchObject({ outcome: "completed" });
    },
  );
}

function testStops(open: Open, abilities: EngineAbilities, suite: Conformance): void {
  test("H9 a stop in the middle of a command leaves no process", async () => {
    await using opened = await open({ turns: [longCommand] });
    const { real, engine } = opened;
    const live = startReal(real, engine, { prompt: "SLEEP now", level: "full", answers: "allow_once" });
    await begun(real);
    live.agent.stop();
    expect(await ended(live)).toMatchObject({ outcome: "interrupted", verdict: { success: false } });
  });

  test.runIf(abilities.resume)("H9 after kill -9 in a command its session goes on", async () => {
    await using opened = await open({ turns: [longCommand, heard] });
    const { real, engine } = opened;
    const first = startReal(real, engine, { prompt: "SLEEP now", level: "full", answers: "allow_once" });
    await begun(real);
    process.kill(first.processes[0]!.pid, "SIGKILL");
    expect(await ended(first)).toMatchObject({ outcome: "failed" });
    const session = ofType(first, "init")[0]!.engine_session!;
    await suite.beforeResume?.();
    const second = startReal(real, engine, { prompt: "GO-ON please", resume: session, until: "answer" });
    expect(await ended(second)).toMatchObject({ outcome: "completed" });
    expect(ofType(second, "init").at(-1)?.engine_session).toBe(session);
    expect(ofType(second, "result").at(-1)).toMatchObject({ failed: false, text: "I heard it." });
    expect(JSON.stringify(real.model.rounds.at(-1)?.body)).toContain("SLEEP now");
    // What the session used before is not counted again.
    if (abilities.usage !== false) expect(second.agent.usage).toMatchObject({ output_tokens: usage.output });
  });
}

function testPermissions(open: Open, asks: Conformance["asks"], manners: EngineManners): void {
  const script: ScriptIn = (folder) => ({ turns: [{ say: "I try.", tool: asks.tool(folder) }, { say: "I went on." }] });

  test("H9 what goes beyond the level waits until it is allowed", async () => {
    await using opened = await open(script);
    const { real, engine } = opened;
    const live = startReal(real, engine, { level: asks.level, until: "answer" });
    const permission = await live.seen("permission");
    expect(permission.action).toMatchObject({ kind: expect.stringMatching(/^(?:edit|run)$/) as string });
    expect(existsSync(join(real.folder, "asked.txt"))).toBe(false);
    live.agent.answer(permission.id, optionOf(permission, "allow_once"));
    expect(await ended(live)).toMatchObject({ outcome: "completed" });
    expect(existsSync(join(real.folder, "asked.txt"))).toBe(true);
    expect(ofType(live, "result").at(-1)).toMatchObject({ failed: false, text: "I went on." });
  });

  test(`H9 what is denied is not done, and the round ${manners.denial === "goes_on" ? "goes on" : "ends"}`, async () => {
    await using opened = await open(script);
    const { real, engine } = opened;
    const live = startReal(real, engine, { level: asks.level, until: "answer", answers: "reject_once" });
    await ended(live);
    expect(ofType(live, "permission")).not.toEqual([]);
    expect(existsSync(join(real.folder, "asked.txt"))).toBe(false);
    expect(real.model.rounds).toHaveLength(manners.denial === "goes_on" ? 2 : 1);
  });
}

const write = (path: string): ToolUse => ({ kind: "write", input: { path, content: "hello\n" } });

async function begun({ folder }: RealEngine): Promise<void> {
  await until(() => existsSync(join(folder, "begun.txt")), patienceMs);
}

function ofType<Type extends EngineEvent["type"]>(
  { events }: Live,
  type: Type,
): Extract<EngineEvent, { type: Type }>[] {
  return events.filter((event): event is Extract<EngineEvent, { type: Type }> => event.type === type);
}

/** Both calls were told with a result, and went well. */
function expectWholeCalls(live: Live): void {
  const results = ofType(live, "tool_result");
  const calls = ofType(live, "tool_call").map(({ id }) => results.find((one) => one.id === id)?.failed);
  expect(calls.slice(0, 2)).toEqual([false, false]);
}

/** What the model's answers say that they took, all together. */
function tokensOf({ model }: RealEngine): object {
  const rounds = model.rounds.length;
  return { input_tokens: rounds * usage.input, output_tokens: rounds * usage.output };
}
