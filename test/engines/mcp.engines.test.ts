import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import type { RunDetails } from "../../src/contract/api/run.ts";
import type { SessionDocument } from "../../src/contract/session.ts";
import type { EngineName } from "../../tools/engines/programs.mjs";
import { askedEngines } from "./asked-engines.ts";
import type { McpUse, Turn } from "./model/script.ts";
import { runOnce } from "./one-shot.ts";
import { realEngine, type RealEngine } from "./real-engine.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");
const timeout = 180_000;

/** Two steps of the agent, with a script of Clew's between them. */
const flow = `
name: flow
description: Plan, then build.
steps:
  - name: plan
    type: agent
    spell: |
      Plan the work on {{.bead.title}}.
    output: planned
  - name: count
    type: script
    command: printf 'planned %s' {{.planned.outputs.files}} > planned.txt
  - name: build
    type: agent
    spell: |
      Build what was planned: {{.planned.summary}}
`;

/** A call of the model, and what its engine has to tell it of the answer. */
interface Call {
  tool: string;
  input: McpUse["input"];
  answered: RegExp[];
}

/** What the model has to remember of its answers: it is made anew for each conversation. */
function memory(): { last: (name: "token" | "run" | "session") => string; hear: (news: string) => void } {
  const known = new Map<string, string>();
  return {
    hear(news) {
      for (const [, name, value] of news.matchAll(/"(?:retry_)?(token|run|session)":\s*"([^"]+)"/g))
        known.set(name!, value!);
    },
    last: (name) => known.get(name) ?? `no ${name} was told`,
  };
}

const planned = { success: true, summary: "Two files.", outputs: { files: 2 } };
const built = { success: true, summary: "It is built." };

/** All that a connected agent may want of Clew, in one conversation. */
function wholeStory(): Call[] {
  const { last, hear } = memory();
  const now = (make: () => Record<string, unknown>) => (news: string) => {
    hear(news);
    return make();
  };
  return [
    { tool: "workflow_list", input: {}, answered: [/Plan, then build\./] },
    { tool: "workflow_inspect", input: { grimoire: "flow" }, answered: [/name: count/] },
    { tool: "workflow_start", input: { bead: "proj-1" }, answered: [/plan#1/, /Plan the work on Fix the login\./] },
    {
      tool: "workflow_checkpoint",
      input: now(() => ({ token: last("token"), text: "I looked around." })),
      answered: [/breadcrumb/],
    },
    {
      tool: "decision_record",
      input: now(() => ({ session: last("session"), text: "We keep the cookie of before, for zebra reasons." })),
      answered: [/session_id/],
    },
    {
      tool: "breadcrumb_record",
      input: now(() => ({ cookie: last("session"), kind: "handoff", text: "The next one builds." })),
      answered: [/breadcrumb/],
    },
    { tool: "session_search", input: { text: "zebra" }, answered: [/cookie of before/] },
    { tool: "inbox_list", input: {}, answered: [/"items":\s*\[\]/] },
    {
      tool: "workflow_continue",
      input: now(() => ({ token: last("token"), result: { success: true, summary: "", outputs: {} } })),
      answered: [/invalid_result/, /retry_token/],
    },
    {
      tool: "workflow_continue",
      input: now(() => ({ token: last("token"), result: planned })),
      answered: [/build#1/, /Build what was planned: Two files\./],
    },
    { tool: "workflow_resume", input: now(() => ({ run: last("run") })), answered: [/build#1/] },
    {
      tool: "workflow_continue",
      input: now(() => ({ token: last("token"), result: built })),
      answered: [/"status":\s*"completed"/],
    },
  ];
}

/** The run alone. */
function shortStory(): Call[] {
  return wholeStory().filter(({ tool }) => ["workflow_start", "workflow_continue"].includes(tool));
}

const turnsOf = (calls: readonly Call[]): Turn[] => [
  ...calls.map(({ tool, input }): Turn => ({ mcp: { server: "clew", tool, input } })),
  { say: "All is done." },
];

/** Codex heeds the settings of a project only where a person trusts it. */
const scopes: Partial<Record<EngineName, string[]>> = { codex: ["--scope", "user"] };
/** As a person who says once and for all that these tools may be called. */
const allowed: Partial<Record<EngineName, string[]>> = {
  codex: ["-c", 'mcp_servers.clew.default_tools_approval_mode="approve"'],
};

function clew(engine: RealEngine, ...args: string[]): string {
  return execFileSync(process.execPath, [program, ...args], { cwd: engine.folder, env: engine.env, encoding: "utf8" });
}

function makeBead(engine: RealEngine): void {
  clew(engine, "init");
  mkdirSync(join(engine.folder, ".clew/grimoires"), { recursive: true });
  mkdirSync(join(engine.folder, ".beads"), { recursive: true });
  writeFileSync(join(engine.folder, ".clew/grimoires/flow.yaml"), flow.trimStart());
  writeFileSync(join(engine.folder, ".clew/config.yaml"), "default_grimoire: flow\n");
  const bead = { id: "proj-1", title: "Fix the login", status: "open", priority: 2, issue_type: "task" };
  const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };
  writeFileSync(join(engine.folder, ".beads/issues.jsonl"), `${JSON.stringify({ ...bead, ...times })}\n`);
}

/** What the model saw of each answer is what Clew answered. */
function expectAnswers({ model }: RealEngine, calls: readonly Call[]): void {
  const answers = model.rounds.slice(1).map(({ news }) => (news ?? "").replaceAll('\\"', '"'));
  for (const [at, { tool, answered }] of calls.entries())
    for (const part of answered) expect(answers[at], `the answer of ${tool}, call ${at + 1}`).toMatch(part);
  expect(model.rounds).toHaveLength(calls.length + 1);
}

function expectCompleted(engine: RealEngine): SessionDocument {
  const { run } = JSON.parse(clew(engine, "run", "show", "proj-1", "--json")) as { run: RunDetails };
  expect(run).toMatchObject({
    status: "completed",
    steps: [{ summary: "Two files." }, {}, { summary: "It is built." }],
  });
  return JSON.parse(clew(engine, "session", "show", run.session_id!, "--json")) as SessionDocument;
}

describe.each(askedEngines())("the real %s with clew mcp in its settings", (name) => {
  test("H7 works on a run, step by step, and keeps what it decides", { timeout }, async () => {
    const calls = wholeStory();
    await using engine = await realEngine(name, { turns: turnsOf(calls) });
    makeBead(engine);
    clew(engine, "mcp", "install", "--engine", name, ...(scopes[name] ?? []));
    await runOnce(name, engine, "do what the script says", allowed[name]);
    expectAnswers(engine, calls);
    const { phases, breadcrumbs } = expectCompleted(engine);
    expect(phases.flatMap(({ entries }) => entries)).toContainEqual(
      expect.objectContaining({ kind: "decision", text: expect.stringContaining("zebra") as string }),
    );
    expect(breadcrumbs).toMatchObject([{ kind: "note" }, { kind: "handoff" }]);
    clew(engine, "mcp", "uninstall");
    expect(clew(engine, "mcp", "status", "--json")).not.toContain('"installed"');
  });
});

describe.runIf(askedEngines().includes("claude"))("the real claude with clew mcp --http", () => {
  test("H7 works on a run over HTTP, with the token that the server printed", { timeout }, async () => {
    const calls = shortStory();
    await using engine = await realEngine("claude", { turns: turnsOf(calls) });
    makeBead(engine);
    const server = spawn(process.execPath, [program, "mcp", "--http", "--json"], {
      cwd: engine.folder,
      env: engine.env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(server, "close");
    try {
      const [line] = (await once(createInterface({ input: server.stdout }), "line")) as [string];
      const { url, token } = JSON.parse(line) as { url: string; token: string };
      const settings = { clew: { type: "http", url, headers: { Authorization: `Bearer ${token}` } } };
      writeFileSync(join(engine.home, "mcp.json"), JSON.stringify({ mcpServers: settings }));
      const options = ["--mcp-config", join(engine.home, "mcp.json"), "--strict-mcp-config"];
      await runOnce("claude", engine, "do what the script says", options);
      expectAnswers(engine, calls);
    } finally {
      server.kill("SIGINT");
      await ended;
    }
    expectCompleted(engine);
  });
});
