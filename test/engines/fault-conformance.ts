import { expect, test } from "vitest";
import type { Engine } from "../../src/adapters/engines/engine.ts";
import { ended } from "../../src/adapters/engines/live-agent.fixture.ts";
import { HttpResultTools } from "../../src/mcp/result-tools.ts";
import type { Conformance } from "./engine-conformance.ts";
import { FaultyResultTools } from "./faulty-result-tools.ts";
import type { Turn } from "./model/script.ts";
import { startReal } from "./real-agent.ts";
import type { RealEngine, ScriptIn } from "./real-engine.ts";

export type Open = (script: ScriptIn) => Promise<{ real: RealEngine; engine: Engine } & AsyncDisposable>;

export const usage = { input: 1000, output: 50, cached: 300 };
const result = { success: true, summary: "It is done.", outputs: { answer: 42 } };
const resultTurn: Turn = { say: JSON.stringify(result), usage };
/** An engine with a schema of its own may ask for the result a second time. */
export const resultTurns = [resultTurn, resultTurn];

const submit: Turn = { mcp: { server: "clew", tool: "submit_result", input: result } };
const words = "I think that is all.";
/** So often at most is a model asked for what it did not give. */
const wordsOnly: Turn[] = Array.from({ length: 4 }, () => ({ say: words }));

/** How each engine fails: always as a clear failure, with its transcript up to there, and in time. */
export function testFaults(open: Open, suite: Conformance): void {
  testModel(open, suite.afterCut);
  testMissingResult(open);
  testDeadServer(open, suite.atMuteServer);
}

function testModel(open: Open, afterCut: Conformance["afterCut"]): void {
  test("H9 a refused key is told in words, and is no success", async () => {
    const error = { status: 401, type: "authentication_error", message: "invalid key" };
    await using opened = await open({ turns: [{ when: "roof", fault: { error } }] });
    const end = await ended(startReal(opened.real, opened.engine, { until: "result" }));
    expect(end).toMatchObject({ outcome: "failed", verdict: { success: false } });
    expect(end.verdict.success || end.verdict.error).toMatch(/401|invalid (?:api )?key|unauthorized/i);
  });

  test(`H9 a stream that is cut once: the round ${afterCut}`, async () => {
    const cut: Turn = { ...resultTurn, fault: { cutAfterEvents: 3, times: 1 } };
    await using opened = await open({ turns: [cut, ...resultTurns] });
    const end = await ended(startReal(opened.real, opened.engine, { until: "result" }));
    expect(end.outcome).toBe(afterCut === "recovers" ? "completed" : "failed");
    expect(end.verdict.success).toBe(afterCut === "recovers");
    expect(opened.real.model.rounds.length).toBeGreaterThan(afterCut === "recovers" ? 1 : 0);
  });
}

function testMissingResult(open: Open): void {
  test.each(["the tool submit_result", "the engine's own form"])(
    "H7 a missing structured result, asked for by %s, is a failure of its own",
    async (way) => {
      await using opened = await open({ turns: wordsOnly });
      const tools = way.startsWith("the tool") ? { resultTools: new HttpResultTools("1") } : {};
      const live = startReal(opened.real, opened.engine, { until: "result", ...tools });
      const end = await ended(live);
      const error = `its result is not the JSON object that was asked for, but: ${words}`;
      expect(end).toMatchObject({ outcome: "completed", verdict: { success: false, words, error } });
      expect(textsIn(live.transcript())).toContain(words);
    },
  );
}

function testDeadServer(open: Open, atMuteServer: Conformance["atMuteServer"]): void {
  const given = { until: "result", answers: "allow_once" } as const;

  test("H7 without the server behind submit_result, the last message gives the result", async () => {
    await using opened = await open({ turns: [submit, ...resultTurns] });
    const live = startReal(opened.real, opened.engine, { ...given, resultTools: new FaultyResultTools("absent") });
    expect(await ended(live)).toMatchObject({ outcome: "completed", verdict: { success: true, result } });
  });

  test("H7 a dead MCP server: a result that was lost with it is a clear failure, and the transcript tells why", async () => {
    await using opened = await open({ turns: [submit, ...wordsOnly] });
    const resultTools = new FaultyResultTools("dies");
    const live = startReal(opened.real, opened.engine, { ...given, resultTools });
    const end = await ended(live);
    expect(resultTools.calls).toBe(1);
    expect(end).toMatchObject({ outcome: "completed", verdict: { success: false, words } });
    expect(end.verdict.success || end.verdict.error).toMatch(
      /^its call of submit_result failed \(.+\), and its result is not the JSON object that was asked for, but: /s,
    );
    expect(live.transcript()).toContain("submit_result");
    expect(textsIn(live.transcript())).toContain(words);
  });

  test("H7 an MCP server that never answers the call: the agent is ended in time, and leaves no process", async () => {
    await using opened = await open({ turns: [submit, ...wordsOnly] });
    const resultTools = new FaultyResultTools("silent");
    const live = startReal(opened.real, opened.engine, { ...given, resultTools, timeouts: { resultCallMs: 4_000 } });
    const error = "the engine was ended because its call of submit_result got no answer in 4 s";
    expect(await ended(live)).toMatchObject({ outcome: "failed", verdict: { success: false, error } });
    expect(resultTools.calls).toBe(1);
    expect(live.transcript()).toContain("submit_result");
  });

  test(`H7 an MCP server that answers nothing at the start: the engine ${atMuteServer === "waits" ? "is ended" : "goes on"}`, async () => {
    await using opened = await open({ turns: [submit, ...wordsOnly] });
    const resultTools = new FaultyResultTools("mute");
    const live = startReal(opened.real, opened.engine, { ...given, resultTools, timeouts: { firstEventMs: 45_000 } });
    const end = await ended(live);
    expect(end.verdict.success || end.verdict.error).toMatch(
      atMuteServer === "waits"
        ? /^the engine was ended because it printed nothing of its session in its first 45 s/
        : /its result is not the JSON object that was asked for/,
    );
    expect(live.transcript()).not.toBe("");
  });
}

/** All texts of a transcript in one: some engines print them in pieces. */
function textsIn(transcript: string): string {
  return Array.from(transcript.matchAll(/"text":"((?:[^"\\]|\\.)*)"/g), ([, text]) => text).join("");
}
