import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { EvidenceLine } from "../../src/contract/hook.ts";
import { write } from "../support/grimoires.ts";
import { linesOf } from "../support/hook-repo.ts";
import { done } from "../support/permissions.ts";
import { RunRepo } from "../support/run-repo.ts";

const oneStep = '- {name: build, type: agent, spell: "Build it.\\n"}\n';
const twoSteps = `${oneStep}- {name: check, type: agent, spell: "Check it.\\n"}\n`;

class AgentRepo extends RunRepo {
  /** Plays turns in a run to its end, and returns the evidence that it left. */
  async played(turns: object[], env: Record<string, string> = {}): Promise<EvidenceLine[]> {
    const { code, stdout, stderr } = await this.run(["run", "proj-1"], { env: { ...this.plays(...turns), ...env } });
    if (code !== 0) throw new Error(`${code}: ${stdout}${stderr}`);
    return this.evidence(await this.runId());
  }

  evidence(owner: string): EvidenceLine[] {
    return linesOf(join(this.home, "evidence", `${owner}.jsonl`));
  }

  /** What the engine printed, as it stands in its transcripts. */
  async calls(): Promise<string[]> {
    const lines = this.journal(await this.runId());
    return lines.flatMap((line) => (line.type === "agent.tool_call" ? line.id : []));
  }

  get faults(): { event: string; what: string }[] {
    const path = join(this.home, "hooks/faults.jsonl");
    return existsSync(path) ? linesOf(path) : [];
  }

  /** Writes a program that sends requests as an agent's command could, and notes each answer's status. */
  forges(requests: string): string {
    const program = `
      import { request } from "node:http";
      import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
      const { CLEW_HOOK_URL: url, CLEW_HOOK_TOKEN: token } = process.env;
      const hook = (more = {}) => JSON.stringify({ hook_event_name: "PostToolUse", session_id: "s", tool_use_id: "forged", ...more });
      const send = (body, headers = {}, to = url) => new Promise((resolve) => {
        const own = { authorization: "Bearer " + token, "content-type": "application/json", ...headers };
        const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
        const sent = request(to, { method: "POST", headers: given }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on("error", (error) => resolve(error.code)).end(body);
      });
      const note = (value) => appendFileSync(${JSON.stringify(join(this.root, "notes"))}, JSON.stringify(value) + "\\n");
      const kept = ${JSON.stringify(join(this.root, "kept"))};
      ${requests}
    `;
    const file = join(this.root, "forge.mjs");
    writeFileSync(file, program);
    return `'${process.execPath}' '${file}'`;
  }

  get noted(): unknown[] {
    return this.notes
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
  }
}

describe("H1 H2 the hooks of an agent that Clew started", () => {
  test("H2 H3 each call has a line before and after it, with run, step and attempt; hook and stream agree on its id", async () => {
    using repo = new AgentRepo(oneStep);
    const lines = await repo.played([
      { say: "I begin.", write: { path: "a.txt", content: "A\n" } },
      { run: "echo two; exit 3" },
      { tool: { name: "mcp__x__look", input: { at: 1 }, result: "seen" } },
      done,
    ]);
    const runId = await repo.runId();
    expect(lines.map(({ event }) => event)).toEqual([
      "SessionStart",
      "UserPromptSubmit",
      "PreToolUse",
      "PostToolUse",
      "PostToolBatch",
      "PreToolUse",
      "PostToolUseFailure",
      "PostToolBatch",
      "PreToolUse",
      "PostToolUse",
      "PostToolBatch",
      "Stop",
      "SessionEnd",
    ]);
    for (const line of lines)
      expect(line).toMatchObject({ v: 1, owner: runId, step: "build#1", via: "http", engine: "scripted" });
    const before = lines.filter(({ event }) => event === "PreToolUse").map(({ tool_use_id }) => tool_use_id);
    const after = lines.filter(({ event }) => event.startsWith("PostToolUse")).map(({ tool_use_id }) => tool_use_id);
    expect(before).toEqual(after);
    expect(before).toEqual(await repo.calls());
    expect(lines.find(({ event }) => event === "PostToolUseFailure")!.hook).toMatchObject({
      tool_name: "Bash",
      tool_input: { command: "echo two; exit 3" },
      error: "Exit code 3\ntwo\n",
      is_interrupt: false,
    });
    expect(repo.faults).toEqual([]);
    expect(existsSync(join(repo.home, "hooks/spool"))).toBe(false);
  });

  test("H3 a turn that skips its hooks leaves a call that only the stream tells of", async () => {
    using repo = new AgentRepo(oneStep);
    const lines = await repo.played([{ run: "echo seen" }, { run: "echo unseen", hooks: false }, done]);
    const calls = await repo.calls();
    const told = new Set(lines.map(({ tool_use_id }) => tool_use_id));
    expect(calls.map((id) => told.has(id))).toEqual([true, false]);
  });

  test("H3 the agent of a talk has its session as the owner, and no step", async () => {
    using repo = new AgentRepo(oneStep);
    const env = repo.plays({ run: "echo hello" }, { say: "Hello." });
    const { code } = await repo.run(["ai", "scripted", "--quiet", "--", "Say hello."], { env });
    expect(code).toBe(0);
    const [name] = readdirSync(join(repo.root, ".clew/sessions"));
    const lines = repo.evidence(name!);
    expect(lines.filter(({ tool_use_id }) => tool_use_id !== null)).toHaveLength(2);
    expect(new Set(lines.map(({ step }) => step))).toEqual(new Set([null]));
    const { evidence } = await repo.json<{ evidence: object[] }>("evidence", "list", "--session", name!);
    expect(evidence).toEqual([
      expect.objectContaining({
        id: `${name!}/1`,
        run: null,
        session: name,
        step: null,
        attempt: null,
        command: "echo hello",
        exit: 0,
        witnesses: ["hook"],
      }),
    ]);
    expect(await repo.clew("evidence", "show", `${name!}/1`)).toContain("echo hello");
  });

  test("D7 a secret that an agent's call has reaches no file", async () => {
    using repo = new AgentRepo(oneStep);
    await repo.played([{ run: "echo $CLEW_HOOK_TOKEN; echo my-hushed-word-77" }, done], {
      MY_TOKEN: "my-hushed-word-77",
    });
    const text = readFileSync(join(repo.home, "evidence", `${await repo.runId()}.jsonl`), "utf8");
    expect(text).toContain("[redacted");
    expect(text).not.toMatch(/my-hushed-word|clew_hook_[\w-]{43}/);
  });
});

describe("D4 H1 who may tell hooks", () => {
  test("D4 H1 without the token, from another place or in another form nothing is kept", async () => {
    using repo = new AgentRepo(oneStep);
    const run = repo.forges(`
      note([
        await send(hook(), { authorization: undefined }),
        await send(hook(), { authorization: "Bearer clew_hook_" + "x".repeat(43) }),
        await send(hook(), { authorization: "Bearer " + token.slice(0, -1) }),
        await send(hook(), { host: "localhost:1" }),
        await send(hook(), { origin: "http://127.0.0.1" }),
        await send(hook(), { "content-type": "text/plain" }),
        await send(hook({ more: "x".repeat(17 * 1024 * 1024) })),
        await send(Buffer.from([0x22, 0xff, 0x22])),
        await send(hook(), {}, url + "/x"),
        await send(hook(), {}, url.replace(/[0-9]+$/, "999")),
      ]);
    `);
    const lines = await repo.played([{ run }, done]);
    expect(repo.noted).toEqual([[401, 401, 401, 403, 403, 415, 413, 400, 404, 404]]);
    expect(lines.filter(({ tool_use_id }) => tool_use_id === "forged")).toEqual([]);
    expect(repo.faults).toEqual([]);
  });

  test("H2 what is no hook is answered with nothing, and noted; the agent goes on", async () => {
    using repo = new AgentRepo(oneStep);
    const run = repo.forges(`
      note([await send("no JSON"), await send("[1]"), await send("{}"), await send("[".repeat(100000))]);
    `);
    const lines = await repo.played([{ run }, done]);
    expect(repo.noted).toEqual([[200, 200, 200, 200]]);
    expect(lines.filter(({ event }) => event === "Unknown")).toHaveLength(1);
    expect(repo.faults.map(({ what }) => what)).toEqual(Array(3).fill("what the engine sent is no JSON object"));
    expect((await repo.run(["doctor"])).stdout).toContain("3 calls of engines were not kept");
  });

  test("H1 H9 a token counts for its own agent alone, and ends with it", async () => {
    using repo = new AgentRepo(twoSteps);
    const run = repo.forges(`
      if (!existsSync(kept)) {
        writeFileSync(kept, JSON.stringify({ url, token }));
        note([await send(hook({ tool_use_id: "own" }))]);
      } else {
        const old = JSON.parse(readFileSync(kept, "utf8"));
        note([await send(hook(), { authorization: "Bearer " + old.token }), await send(hook(), { authorization: "Bearer " + old.token }, old.url)]);
      }
    `);
    const lines = await repo.played([{ run }, done]);
    const [first, [other, ended]] = repo.noted as [number[], [number, number | string]];
    expect(first).toEqual([200]);
    expect(other).toBe(401);
    expect([404, "ECONNREFUSED"]).toContain(ended);
    expect(lines.filter(({ tool_use_id }) => tool_use_id === "own")).toMatchObject([{ step: "build#1" }]);
    expect(lines.filter(({ tool_use_id }) => tool_use_id === "forged")).toEqual([]);
  });
});

describe("H2 a fault of ours stops no agent", () => {
  test("H2 where evidence cannot be kept, the agent works, and the doctor tells", async () => {
    using repo = new AgentRepo(oneStep);
    await repo.clew("init");
    mkdirSync(repo.home, { recursive: true });
    writeFileSync(join(repo.home, "evidence"), "in the way");
    const { code } = await repo.run(["run", "proj-1"], { env: repo.plays({ run: "echo on >> ../../notes" }, done) });
    expect([code, repo.notes]).toEqual([0, "on\n"]);
    expect(repo.faults.length).toBeGreaterThan(0);
    expect((await repo.run(["doctor"])).stdout).toContain("not kept");
  });

  test("H2 where no port of loopback can be opened, the agent works without hooks, and the doctor tells", async () => {
    using repo = new AgentRepo(oneStep);
    write(
      repo,
      "no-port.cjs",
      `const { Server } = require("node:net");
       const listen = Server.prototype.listen;
       Server.prototype.listen = function (...given) {
         if (given[1] !== "127.0.0.1") return listen.apply(this, given);
         process.nextTick(() => this.emit("error", new Error("listen EPERM")));
         return this;
       };`,
    );
    const env = {
      ...repo.plays({ run: "echo on >> ../../notes" }, done),
      NODE_OPTIONS: `--require "${repo.root}/no-port.cjs"`,
    };
    const { code } = await repo.run(["run", "proj-1"], { env });
    expect([code, repo.notes]).toEqual([0, "on\n"]);
    expect(repo.faults.map(({ what }) => what)).toEqual([expect.stringContaining("no port of 127.0.0.1")]);
  });
});

test("H2 H6 a compaction: before, the session's start anew, after; the stream tells of it, too", async () => {
  using repo = new AgentRepo(oneStep);
  const lines = await repo.played([{ run: "echo one" }, { compact: "auto", say: "On I go." }, done]);
  const events = lines.map(({ event, hook }) =>
    `${event} ${(hook["trigger"] ?? hook["source"] ?? "") as string}`.trim(),
  );
  const at = events.indexOf("PreCompact auto");
  expect(events.slice(at, at + 3)).toEqual(["PreCompact auto", "SessionStart compact", "PostCompact auto"]);
  const transcripts = join(repo.home, "transcripts", await repo.runId());
  const printed = readdirSync(transcripts).map((name) => readFileSync(join(transcripts, name), "utf8"));
  expect(printed.join("")).toContain('"subtype":"compact_boundary"');
});
