import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ClaudeLines, ImportRepo } from "../support/transcripts.ts";

const id = "81b1b614-e07b-4d06-88d0-bc90f559f5bb";

test("W12 a transcript of Claude Code becomes a session: phases, calls, words, compactions, tokens and cost", async () => {
  using repo = new ImportRepo();
  repo.leave(repo.claudePath(`${id}.jsonl`), repo.fixture("claude"));
  const { skipped, sessions, ...counts } = await repo.import();
  expect({ ...counts, skipped }).toEqual({ imported: 1, continued: 0, unchanged: 0, skipped: [] });
  expect(sessions).toEqual(["2026-11-15-first-message-please"]);
  const { frontmatter, phases } = await repo.show(sessions[0]!);
  expect(frontmatter).toMatchObject({
    title: "first message please",
    kind: "import",
    status: "completed",
    started: "2026-11-15T21:14:07.354Z",
    participants: ["claude"],
    model: "claude-opus-5-5",
    tokens_used: 5050,
    branch: "master",
  });
  expect(frontmatter.engine_sessions).toEqual([
    { engine: "claude", session: id, folder: repo.root, bytes: expect.any(Number) as number },
  ]);
  expect(phases.map(({ title, agent, channel }) => [title, agent, channel])).toEqual([
    ["first message please", "claude", "dev"],
  ]);
  expect(phases[0]!.entries).toMatchObject([
    { kind: "user", text: "first message please" },
    { kind: "text", text: "Let me check." },
    { kind: "tool", name: "Bash", args: "echo one", result: "one", failed: false },
    { kind: "text", text: "The conversation was compacted here (manual, 120 tokens before)." },
    { kind: "tokens", tokens: 5050, model: "claude-opus-5-5" },
  ]);
});

test("W12 importing again changes nothing; a transcript that grew is continued, and a call gets its late result", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const file = repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Fix the login\nsoon"),
    lines.agent("m-1", { type: "text", text: "I look." }),
    lines.call("m-1", "c-1", "Bash", { command: "npm test" }),
  ]);
  expect(await repo.import()).toMatchObject({ imported: 1, sessions: ["2026-11-15-fix-the-login"] });
  const path = join(repo.root, ".clew/sessions/2026-11-15-fix-the-login/session.md");
  const before = readFileSync(path, "utf8");
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 1, sessions: [] });
  expect(readFileSync(path, "utf8")).toBe(before);

  repo.append(file, `${lines.result("c-1", "2 of 40 failing", true)}\n${lines.user("And now?")}\n`);
  repo.append(
    file,
    `${lines.agent("m-2", { type: "text", text: "All pass." })}\n${lines.agent("m-3", {}).slice(0, 50)}`,
  );
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 1, unchanged: 0, skipped: [] });
  const { frontmatter, phases } = await repo.show("2026-11-15-fix-the-login");
  expect(phases.map(({ title, entries }) => [title, entries])).toMatchObject([
    [
      "Fix the login",
      [
        { kind: "user", text: "Fix the login\nsoon" },
        { kind: "text", text: "I look." },
        { kind: "tool", name: "Bash", args: "npm test", result: "2 of 40 failing", failed: true },
        { kind: "tokens", tokens: 110 },
      ],
    ],
    ["And now?", [{ kind: "user" }, { kind: "text", text: "All pass." }, { kind: "tokens", tokens: 110 }]],
  ]);
  expect(frontmatter).toMatchObject({ tokens_used: 220, cost_usd: 0.0009 });
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 1 });
});

test("W12 S5 a subagent is a session of its own, named once where its call stands; tokens count once", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-2");
  const [meta, ...agentLines] = repo.fixture("claude.subagent");
  const call = "toolu_61a66d02a7a0459d9370c5f5";
  const file = repo.leave(repo.claudePath("s-2.jsonl"), [
    lines.user("Delegate it"),
    lines.call("m-1", call, "Agent", { description: "sub job", prompt: "SUBPROMPT do it" }),
    lines.result(call, "sub finished"),
  ]);
  repo.leave(repo.claudePath("s-2/subagents/agent-ae393ecc5b367850c.jsonl"), agentLines);
  repo.leave(repo.claudePath("s-2/subagents/agent-ae393ecc5b367850c.meta.json"), [meta!]);
  const { imported, sessions } = await repo.import();
  expect([imported, sessions.toSorted()]).toEqual([2, ["2026-11-15-delegate-it", "2026-11-16-sub-job"]]);
  const { frontmatter, phases } = await repo.show("2026-11-15-delegate-it");
  expect(phases[0]!.entries).toMatchObject([
    { kind: "user" },
    { kind: "tool", name: "Agent" },
    {
      kind: "subagent",
      agent: "general-purpose",
      mode: "link",
      session: "2026-11-16-sub-job",
      tokens: 4040,
      summary: "sub finished",
    },
    { kind: "tokens", tokens: 110 },
  ]);
  expect(frontmatter).toMatchObject({ tokens_used: 110, subagents: [{ session: "2026-11-16-sub-job", tokens: 4040 }] });
  const child = await repo.show("2026-11-16-sub-job");
  expect(child.frontmatter).toMatchObject({ parent: "2026-11-15-delegate-it", kind: "import", tokens_used: 4040 });

  repo.append(file, `${lines.user("More")}\n`);
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 1, unchanged: 1 });
  const { phases: later } = await repo.show("2026-11-15-delegate-it");
  expect(later.flatMap(({ entries }) => entries).filter(({ kind }) => kind === "subagent")).toHaveLength(1);
});
