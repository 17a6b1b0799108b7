import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeEngines } from "./asked-engines.ts";
import { LineProgram } from "./line-program.ts";
import { commandStarts, filesIn, liveStory, prompts, wakeCommand } from "./live-story.ts";
import { realEngine } from "./real-engine.ts";
import { keepRecording } from "./recording.ts";
import { Rpc } from "./rpc.ts";
import type { Json } from "./model/wire.ts";
import type { RealEngine } from "./real-engine.ts";

type Speaker = "gemini" | "opencode";
type Level = "ask" | "all";

describeEngines(["gemini", "opencode"], "the ACP of the real", (name) => {
  test("H9 a tool that is asked for and allowed runs", async () => {
    await using engine = await realEngine(name, liveStory);
    await using agent = await Agent.start(name, engine, "ask");
    const prompt = agent.prompt(prompts.work);
    for (let ask = 0; ask < 2; ask++) await agent.choose("allow_once");
    expect(await agent.rpc.result(prompt)).toMatchObject({ stopReason: "end_turn" });
    expect(filesIn(engine.folder)).toEqual({ hello: true, answer: true });
    expect(engine.model.rounds[2]?.news).toMatch(/\b42\b/u);
    keepRecording(`${name}/live-allowed`, engine, agent.program.lines);
  });

  test("H9 a tool that is denied does not run; gemini goes on, and opencode ends the turn", async () => {
    await using engine = await realEngine(name, liveStory);
    await using agent = await Agent.start(name, engine, "ask");
    const prompt = agent.prompt(prompts.work);
    const asks = { gemini: 2, opencode: 1 }[name];
    for (let ask = 0; ask < asks; ask++) await agent.choose("reject_once");
    expect(await agent.rpc.result(prompt)).toMatchObject({ stopReason: "end_turn" });
    expect(filesIn(engine.folder)).toEqual({ hello: false, answer: false });
    expect(engine.model.rounds).toHaveLength({ gemini: 3, opencode: 1 }[name]);
    keepRecording(`${name}/live-denied`, engine, agent.program.lines);
  });

  test("H9 a cancelled prompt ends the command, and the session goes on", async () => {
    await using engine = await realEngine(name, liveStory);
    await using agent = await Agent.start(name, engine, "all");
    const first = agent.prompt(prompts.wait);
    await commandStarts(engine.folder);
    agent.rpc.notify("session/cancel", { sessionId: agent.session });
    expect(await agent.rpc.result(first)).toMatchObject({ stopReason: "cancelled" });
    expect(await wakeCommand(engine.folder)).toBe(false);
    expect(await agent.rpc.result(agent.prompt(prompts.goOn))).toMatchObject({ stopReason: "end_turn" });
    keepRecording(`${name}/live-interrupted`, engine, agent.program.lines);
  });

  test("H9 a second prompt cancels the first of gemini, and joins that of opencode", async () => {
    await using engine = await realEngine(name, liveStory);
    await using agent = await Agent.start(name, engine, "all");
    const first = agent.prompt(prompts.wait);
    await commandStarts(engine.folder);
    const second = agent.prompt(prompts.goOn);
    if (name === "opencode") expect(await wakeCommand(engine.folder)).toBe(true);
    const reasons = { gemini: "cancelled", opencode: "end_turn" };
    expect(await agent.rpc.result(first)).toMatchObject({ stopReason: reasons[name] });
    expect(await agent.rpc.result(second)).toMatchObject({ stopReason: "end_turn" });
    keepRecording(`${name}/live-further-message`, engine, agent.program.lines);
  });
});

class Agent {
  readonly program: LineProgram;
  readonly rpc: Rpc;
  session = "";

  constructor(name: Speaker, engine: RealEngine) {
    const args = { gemini: ["--acp", "-m", engine.modelName], opencode: ["acp"] };
    this.program = new LineProgram(engine, args[name]);
    this.rpc = new Rpc(this.program, { jsonrpc: "2.0" });
  }

  static async start(name: Speaker, engine: RealEngine, level: Level): Promise<Agent> {
    if (name === "opencode" && level === "ask") askInOpencode(engine.home);
    const agent = new Agent(name, engine);
    const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };
    await agent.rpc.call("initialize", { protocolVersion: 1, clientCapabilities });
    const params = { cwd: engine.folder, mcpServers: [] };
    agent.session = (await agent.rpc.call<{ sessionId: string }>("session/new", params)).sessionId;
    if (name === "gemini" && level === "all") {
      await agent.rpc.call("session/set_mode", { sessionId: agent.session, modeId: "yolo" });
    }
    return agent;
  }

  prompt(text: string): number {
    return this.rpc.request("session/prompt", { sessionId: this.session, prompt: [{ type: "text", text }] });
  }

  /** Answers the next question with its option of that kind. */
  async choose(kind: string): Promise<void> {
    await this.rpc.answer(/^session\/request_permission$/u, ({ options }) => {
      const option = (options as Json[]).find((one) => one.kind === kind);
      return { outcome: { outcome: "selected", optionId: option?.optionId } };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }
}

/** It allows everything unless its settings say otherwise. */
function askInOpencode(home: string): void {
  const file = join(home, ".config/opencode/opencode.json");
  const settings = JSON.parse(readFileSync(file, "utf8")) as Json;
  writeFileSync(file, JSON.stringify({ ...settings, permission: { edit: "ask", bash: "ask" } }));
}
