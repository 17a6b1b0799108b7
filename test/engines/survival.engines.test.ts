import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { Rehydration, RehydrationLine } from "../../src/contract/rehydration.ts";
import { shellWord } from "../../src/text/shell-word.ts";
import { linesOf } from "../support/hook-repo.ts";
import { askedEngines } from "./asked-engines.ts";
import { LineProgram } from "./line-program.ts";
import type { RecordedRequest } from "./model/record.ts";
import type { Turn } from "./model/script.ts";
import { installEngine } from "../../tools/engines/programs.mjs";
import { runOnce } from "./one-shot.ts";
import { realEnvironment } from "./real-agent.ts";
import { RealWorkRepo, run, submit } from "./real-work-repo.ts";
import { settingsOf, writeSettings } from "./settings.ts";
import { realEngine, type RealEngine } from "./real-engine.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");
const clew = `${shellWord(process.execPath)} ${shellWord(program)}`;

/** One step of a connected agent. */
const flow = `name: flow
description: One step.
steps:
  - name: mend
    type: agent
    spell: |
      Mend the roof of {{.bead.title}}.
`;

/** A real engine in a repository with one bead, connected with Clew by its hooks and by MCP. */
class ConnectedEngine implements AsyncDisposable {
  readonly real: RealEngine;
  readonly #turns: Turn[];
  bead = "";

  private constructor(real: RealEngine, turns: Turn[]) {
    this.real = real;
    this.#turns = turns;
  }

  static async of(name: "claude" | "codex"): Promise<ConnectedEngine> {
    const turns: Turn[] = [];
    const connected = new ConnectedEngine(await realEngine(name, { turns }), turns);
    connected.clew("init");
    const { folder } = connected.real;
    mkdirSync(join(folder, ".clew/grimoires"), { recursive: true });
    writeFileSync(join(folder, ".clew/grimoires/flow.yaml"), flow);
    writeFileSync(join(folder, ".clew/config.yaml"), "default_grimoire: flow\n");
    connected.bead = connected.clew("bead", "create", "The old mill", "-t", "task").trim();
    execFileSync("git", ["-C", folder, "add", "-A"]);
    const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org"];
    execFileSync("git", ["-C", folder, ...who, "commit", "-qm", "The flow."]);
    return connected;
  }

  clew(...args: string[]): string {
    const { folder } = this.real;
    return execFileSync(process.execPath, [program, ...args], { cwd: folder, env: this.env, encoding: "utf8" });
  }

  get env(): Record<string, string> {
    const { home } = this.real;
    const git = { GIT_AUTHOR_NAME: "Ann", GIT_AUTHOR_EMAIL: "ann@example.org" };
    const committer = { GIT_COMMITTER_NAME: "Ann", GIT_COMMITTER_EMAIL: "ann@example.org" };
    const folders = { XDG_CONFIG_HOME: join(home, "config"), XDG_STATE_HOME: join(home, "state") };
    return { ...realEnvironment(this.real), ...git, ...committer, ...folders };
  }

  /** What the model says from now on. */
  says(...turns: Turn[]): void {
    this.#turns.splice(0, this.#turns.length, ...turns);
  }

  /** The continue token that the model was told last. */
  get token(): string {
    const told = JSON.stringify(this.real.model.requests.at(-1)?.body).match(/clew_next_[\w-]+\.[\w-]{43}/gu);
    return told?.at(-1) ?? "the model knows no token";
  }

  /** A call that carries the token as the model knows it when it makes the call. */
  withToken(tool: string, input: Record<string, unknown>): Turn {
    const token = (): string => this.token;
    return {
      get mcp() {
        return { server: "clew", tool, input: { ...input, token: token() } };
      },
    };
  }

  get run(): string {
    const { runs } = JSON.parse(this.clew("run", "list", "--json")) as { runs: { id: string }[] };
    return runs[0]!.id;
  }

  rehydrations(): RehydrationLine[] {
    return linesOf(join(this.real.folder, ".git/clew/rehydrations", `${this.run}.jsonl`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.real[Symbol.asyncDispose]();
  }
}

/** All that a request tells the model, as one text. */
function textOf({ body }: RecordedRequest): string {
  const texts: string[] = [];
  JSON.stringify(body, (_, value: unknown) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  return texts.join("\n");
}

const mcp = (tool: string, input: Record<string, unknown>): Turn => ({ mcp: { server: "clew", tool, input } });
const started = "start the workflow on the bead";

describe.runIf(askedEngines().includes("claude"))("survival with the real Claude Code", { timeout: 240_000 }, () => {
  async function connect(engine: ConnectedEngine): Promise<LineProgram> {
    engine.clew("hooks", "install", "--engine", "claude");
    const config = join(engine.real.home, "mcp.json");
    const server = { command: process.execPath, args: [program, "mcp"], alwaysLoad: true };
    writeFileSync(config, JSON.stringify({ mcpServers: { clew: server } }));
    const words =
      "-p --output-format stream-json --verbose --input-format stream-json --permission-mode bypassPermissions --mcp-config";
    return new LineProgram({ ...engine.real, env: engine.env }, [...words.split(" "), config]);
  }

  function say(agent: LineProgram, text: string): void {
    agent.send({ type: "user", message: { role: "user", content: [{ type: "text", text }] } });
  }

  /** The turns up to the compaction: the run begins, something is noted, decided and asked. */
  function work(engine: ConnectedEngine, usage?: Turn["usage"]): Turn[] {
    return [
      mcp("workflow_start", { bead: engine.bead }),
      engine.withToken("workflow_checkpoint", { text: "The left half is done." }),
      mcp("decision_record", { text: "Slate, because it lasts." }),
      {
        tool: { kind: "shell", input: { command: `${clew} session log decision_needed "Which nails?"` } },
        ...(usage && { usage }),
      },
    ];
  }

  /** The summary tells nothing: what comes back is told by Clew. */
  const goOn = (engine: ConnectedEngine): Turn[] => [
    { when: "Respond with TEXT ONLY", say: "<analysis>Work.</analysis><summary>There was some work.</summary>" },
    {
      when: "# Where you stand",
      get mcp() {
        const result = { success: true, summary: "It is mended." };
        return { server: "clew", tool: "workflow_continue", input: { token: engine.token, result } };
      },
    },
    { when: "There is nothing more to do", say: "The roof is mended." },
  ];

  /** What the next request after a compaction has to hold, and that its receipt is kept. */
  function expectSurvival(engine: ConnectedEngine, trigger: "auto" | "manual"): void {
    const after = engine.real.model.requests.find((each) => textOf(each).includes("# Where you stand"))!;
    const told = textOf(after);
    for (const text of [
      `Run: ${engine.run} (running), grimoire flow`,
      `Bead: ${engine.bead}, The old mill`,
      "Step: mend#1",
      "> Mend the roof of The old mill.",
      "The left half is done.",
      "> Slate, because it lasts.",
      "Which nails?",
      "- Continue token: clew_next_",
    ])
      expect(told).toContain(text);
    expect(engine.rehydrations().filter(({ type }) => type !== "caller")).toMatchObject([
      { type: "compacting", trigger, engine: "claude" },
      { type: "given", cause: "compacted", trigger, engine: "claude", step: "mend#1" },
      { type: "receipt", by: "workflow_continue", token: true },
    ]);
    const shown = engine.clew("session", "show", engine.run);
    expect(shown).toContain("was told again where it stands in mend#1");
    expect(shown).toContain("workflow_continue carried the continue token of mend#1");
    expect(engine.clew("run", "show", engine.run)).toContain("completed");
    expect(engine.clew("doctor")).toContain("no call of an engine failed");
  }

  test("H6 a compaction by itself, in the middle of a run over MCP: the next request has step, notes, decisions and token", async () => {
    await using engine = await ConnectedEngine.of("claude");
    await using agent = await connect(engine);
    engine.says(...work(engine, { input: 975_000, output: 20, cached: 0 }), ...goOn(engine));
    say(agent, started);
    const result = await agent.next(({ type }) => type === "result");

    expect(result).toMatchObject({ is_error: false, result: "The roof is mended." });
    agent.closeStdin();
    await agent.ended;
    expectSurvival(engine, "auto");
  });

  test("H6 /compact in the middle of a run over MCP: the next request has step, notes, decisions and token", async () => {
    await using engine = await ConnectedEngine.of("claude");
    await using agent = await connect(engine);
    engine.says(...work(engine), { say: "I wait." }, ...goOn(engine));
    say(agent, started);
    await agent.next(({ type }) => type === "result");
    say(agent, "/compact");
    await agent.next(({ type }) => type === "result");
    say(agent, "go on");
    expect(await agent.next(({ type }) => type === "result")).toMatchObject({ result: "The roof is mended." });
    agent.closeStdin();
    await agent.ended;
    expectSurvival(engine, "manual");
    // Any agent can ask for the same.
    const shown = JSON.parse(engine.clew("rehydrate", "-s", engine.run, "--json")) as Rehydration;
    expect(shown).toMatchObject({ run: { status: "completed" }, decisions: ["Slate, because it lasts."] });
  });
});

const both = askedEngines().includes("claude") && askedEngines().includes("codex");

describe.runIf(both)(
  "a run that begins on the real Claude Code and ends on the real Codex",
  { timeout: 240_000 },
  () => {
    test("H6 agents that Clew starts: the first request to the second has step, notes, decisions and what was done", async () => {
      const failed = submit({ success: false, summary: "I have no more slate." });
      await using repo = await RealWorkRepo.of(["claude", "codex"], run("I begin.", "echo slate > roof.txt"), failed, {
        say: "So far.",
      });
      repo.configure("engine: claude\ndefault_grimoire: flow\n");
      mkdirSync(join(repo.root, ".clew/grimoires"), { recursive: true });
      writeFileSync(join(repo.root, ".clew/grimoires/flow.yaml"), flow);
      const bead = await repo.bead("The old mill");
      const first = await repo.run(["run", bead]);
      expect([first.code, first.stdout + first.stderr]).toEqual([3, expect.stringContaining("no more slate")]);
      const { runs } = await repo.json<{ runs: { id: string }[] }>("run", "list");
      const session = runs[0]!.id;
      await repo.clew("session", "log", "-s", session, "decision", "Slate, because it lasts.");
      const note = ["--kind", "note", "--text", "The left half is done."];
      await repo.clew("session", "breadcrumb", "add", "--cookie", session, ...note);
      repo.says(submit({ success: true, summary: "It is mended." }), { say: "Done." });
      const second = await repo.run(["run", "retry", bead, "--engine", "codex"]);
      expect([second.code, second.stdout + second.stderr]).toEqual([0, expect.stringContaining("It is mended.")]);
      const request = repo.model.rounds.find(({ path }) => path.endsWith("/responses"))!;
      for (const text of [
        "Mend the roof of The old mill.",
        "Step: mend#2",
        "> Slate, because it lasts.",
        "The left half is done.",
        "said: I begin.",
      ])
        expect(textOf(request)).toContain(text);
      const lines = linesOf<RehydrationLine>(join(repo.home, "rehydrations", `${session}.jsonl`));
      expect(lines).toMatchObject([
        { type: "given", cause: "other engine", engine: "codex", step: "mend#2" },
        { type: "receipt", token: false },
      ]);
    });

    test("H6 agents that a person starts: the second asks by workflow_resume, and the call with the token is the receipt", async () => {
      await using engine = await ConnectedEngine.of("claude");
      const { real } = engine;
      const server = { command: process.execPath, args: [program, "mcp"], alwaysLoad: true };
      writeFileSync(join(real.home, "mcp.json"), JSON.stringify({ mcpServers: { clew: server } }));
      engine.says(
        mcp("workflow_start", { bead: engine.bead }),
        engine.withToken("workflow_checkpoint", { text: "The left half is done." }),
        mcp("decision_record", { text: "Slate, because it lasts." }),
        { say: "I stop here." },
      );
      await runOnce("claude", { ...real, env: engine.env }, "begin", ["--mcp-config", join(real.home, "mcp.json")]);

      const settings = settingsOf("codex", real.model.url);
      const toml = `[mcp_servers.clew]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(program)}, "mcp"]\n`;
      const approval = `default_tools_approval_mode = "approve"\n[mcp_servers.clew.env]\nXDG_STATE_HOME = ${JSON.stringify(join(real.home, "state"))}\n`;
      const config = `${settings.files[".codex/config.toml"]}\n${toml}${approval}`;
      writeSettings(real.home, { ...settings, files: { ".codex/config.toml": config } });
      const token = engine.token;
      engine.says(mcp("workflow_resume", { run: engine.run }), {
        when: "The left half is done.",
        get mcp() {
          const result = { success: true, summary: "It is mended." };
          return { server: "clew", tool: "workflow_continue", input: { token: engine.token, result } };
        },
      });
      const codex = { ...real, program: await installEngine("codex"), env: { ...engine.env, ...settings.env } };
      await runOnce("codex", { ...codex, modelName: settings.model }, "go on");
      const told = real.model.rounds.filter(({ path }) => path.endsWith("/responses")).map(textOf)[1]!;
      for (const text of ["mend#1", "The left half is done.", "Slate, because it lasts.", token])
        expect(told).toContain(text);
      expect(engine.rehydrations().slice(-4)).toMatchObject([
        { type: "caller", engine: "codex" },
        { type: "given", cause: "other engine", engine: "codex", step: "mend#1" },
        { type: "receipt", by: "workflow_continue", token: true },
        { type: "caller", engine: "codex" },
      ]);
      expect(engine.clew("run", "show", engine.run)).toContain("completed");
    });
  },
);

describe.runIf(askedEngines().includes("claude"))(
  "an agent of Clew's on the real Claude Code",
  { timeout: 240_000 },
  () => {
    test("H6 it compacts by itself in the middle of its step: the next request has step, notes and decisions, its next call is the receipt", async () => {
      const usage = { input: 975_000, output: 20, cached: 0 };
      await using repo = await RealWorkRepo.of(["claude"]);
      repo.configure("engine: claude\ndefault_grimoire: flow\n");
      mkdirSync(join(repo.root, ".clew/grimoires"), { recursive: true });
      writeFileSync(join(repo.root, ".clew/grimoires/flow.yaml"), flow);
      const bead = await repo.bead("The old mill");
      const summary = { when: "Respond with TEXT ONLY", say: "<summary>There was some work.</summary>" };
      const done = {
        mcp: { server: "clew", tool: "submit_result", input: { success: true, summary: "It is mended." } },
      };
      repo.says(
        run("I begin.", "echo slate > roof.txt"),
        run("I look.", "cat roof.txt"),
        { ...run("I go on.", "echo more >> roof.txt"), usage },
        summary,
        { when: "# Where you stand", ...done },
        { when: '"accepted":true', say: "Done." },
      );
      const { code, stdout, stderr } = await repo.run(["run", bead]);
      expect([code, stdout + stderr]).toEqual([0, expect.stringContaining("It is mended.")]);
      const after = repo.model.rounds.find((each) => textOf(each).includes("# Where you stand"))!;
      for (const text of ["Step: mend#1", "> Mend the roof of The old mill.", "said: I begin."])
        expect(textOf(after)).toContain(text);
      const { runs } = await repo.json<{ runs: { id: string }[] }>("run", "list");
      const lines = linesOf<RehydrationLine>(join(repo.home, "rehydrations", `${runs[0]!.id}.jsonl`));
      expect(lines).toMatchObject([
        { type: "compacting", trigger: "auto", engine: "claude" },
        { type: "given", cause: "compacted", trigger: "auto", step: "mend#1" },
        { type: "receipt", by: "mcp__clew__submit_result", token: false },
      ]);
      const shown = await repo.clew("session", "show", runs[0]!.id);
      expect(shown).toContain("The conversation was compacted here");
      expect(shown).toContain("was told again where it stands in mend#1");
    });
  },
);
