import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { describeEngines } from "./asked-engines.ts";
import { LineProgram } from "./line-program.ts";
import { commandStarts, filesIn, liveStory, prompts, wakeCommand } from "./live-story.ts";
import { realEngine } from "./real-engine.ts";
import { keepRecording } from "./recording.ts";
import { Rpc } from "./rpc.ts";
import type { RealEngine } from "./real-engine.ts";

const ask = { approvalPolicy: "untrusted", sandbox: "workspace-write" };
const all = { approvalPolicy: "never", sandbox: "danger-full-access" };

describeEngines(["codex"], "the app server of the real", (name) => {
  test.each([
    { decision: "accept", status: "completed", files: { hello: true, answer: true } },
    { decision: "decline", status: "completed", files: { hello: false, answer: false } },
  ])("H9 a tool that is asked for, and the answer $decision", async ({ decision, status, files }) => {
    await using engine = await realEngine(name, liveStory);
    await using server = await Server.start(engine, ask);
    await server.begin(prompts.work);
    for (let request = 0; request < 2; request++) await server.rpc.answer(/requestApproval$/u, () => ({ decision }));
    expect(await server.turnEnd()).toBe(status);
    expect(await server.end()).toBe(0);
    expect(filesIn(engine.folder)).toEqual(files);
    expect(engine.model.rounds).toHaveLength(3);
    keepRecording(`codex/live-${decision}`, engine, server.program.lines);
  });

  test("H9 a steered message joins the turn, and comes too late behind it", async () => {
    await using engine = await realEngine(name, liveStory);
    await using server = await Server.start(engine, all);
    const turn = await server.begin(prompts.wait);
    await commandStarts(engine.folder);
    const steer = { threadId: server.thread, expectedTurnId: turn, input: [{ type: "text", text: prompts.goOn }] };
    expect(await server.rpc.call("turn/steer", steer)).toEqual({ turnId: turn });
    expect(await wakeCommand(engine.folder)).toBe(true);
    expect(await server.turnEnd()).toBe("completed");
    await expect(server.rpc.call("turn/steer", steer)).rejects.toThrow("no active turn to steer");
    expect(await server.end()).toBe(0);
    expect(engine.model.rounds[1]?.news).toContain(prompts.goOn);
    keepRecording("codex/live-further-message", engine, server.program.lines);
  });

  test("H9 an interrupt ends the turn but not the command, and the thread goes on", async () => {
    await using engine = await realEngine(name, liveStory);
    await using server = await Server.start(engine, all);
    const turnId = await server.begin(prompts.wait);
    await commandStarts(engine.folder);
    // In its first moments the command would still end with the turn.
    await sleep(2000);
    await server.rpc.call("turn/interrupt", { threadId: server.thread, turnId });
    expect(await server.turnEnd()).toBe("interrupted");
    expect(await wakeCommand(engine.folder)).toBe(true);
    await server.begin(prompts.goOn);
    expect(await server.turnEnd()).toBe("completed");
    expect(await server.end()).toBe(0);
    keepRecording("codex/live-interrupted", engine, server.program.lines);
  });
});

class Server {
  readonly program: LineProgram;
  readonly rpc: Rpc;
  thread = "";

  constructor(engine: RealEngine) {
    this.program = new LineProgram(engine, ["app-server"]);
    this.rpc = new Rpc(this.program, {});
  }

  static async start(engine: RealEngine, level: typeof ask): Promise<Server> {
    const server = new Server(engine);
    const clientInfo = { name: "clew", title: "Clew", version: "0" };
    await server.rpc.call("initialize", { clientInfo, capabilities: {} });
    server.rpc.notify("initialized", {});
    const { thread } = await server.rpc.call<{ thread: { id: string } }>("thread/start", {
      cwd: engine.folder,
      ...level,
    });
    server.thread = thread.id;
    return server;
  }

  /** The id of the turn. */
  async begin(text: string): Promise<string> {
    const params = { threadId: this.thread, input: [{ type: "text", text }] };
    return (await this.rpc.call<{ turn: { id: string } }>("turn/start", params)).turn.id;
  }

  async turnEnd(): Promise<unknown> {
    const { params } = await this.program.next(({ method }) => method === "turn/completed");
    return (params as { turn: { status: string } }).turn.status;
  }

  /** The exit code. */
  async end(): Promise<number | null> {
    this.program.closeStdin();
    return (await this.program.ended).code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }
}
