import { DatabaseSync } from "@photostructure/sqlite";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ImportRepo } from "../support/transcripts.ts";

test("W12 a rollout of Codex becomes a session, its subagent a linked one", async () => {
  using repo = new ImportRepo();
  const folder = ".codex/sessions/2026/11/15";
  const parent = "01a1e442-294e-7050-960d-a6415d8936e2";
  const main = repo.fixture("codex").map((line) => line.replaceAll("01a1e114-8c39-74c0-acd9-98041f776f8b", parent));
  repo.leave(`${folder}/rollout-2026-11-15T21-19-42-${parent}.jsonl`, main);
  const child = "01a1e442-2b0f-75c1-b445-add84c5f4404";
  repo.leave(`${folder}/rollout-2026-11-16T12-08-24-${child}.jsonl`, repo.fixture("codex.subagent"));
  const { imported, skipped, sessions } = await repo.import();
  expect([imported, skipped, sessions.toSorted()]).toEqual([
    2,
    [],
    ["2026-11-15-please-do-the-scripted-thing", "2026-11-16-root-subjob"],
  ]);
  const { frontmatter, phases } = await repo.show("2026-11-15-please-do-the-scripted-thing");
  expect(frontmatter).toMatchObject({ model: "gpt-5.5", tokens_used: 120, participants: ["codex"] });
  expect(frontmatter.engine_sessions).toMatchObject([{ engine: "codex", session: parent, folder: repo.root }]);
  expect(phases.flatMap(({ entries }) => entries)).toMatchObject([
    { kind: "user", text: "please do the scripted thing" },
    { kind: "tool", name: "apply_patch", result: "REASON-POST", failed: false },
    { kind: "tool", name: "exec_command", args: "echo original-command", result: "rewritten-command\n", failed: false },
    { kind: "tokens", tokens: 120, model: "gpt-5.5" },
    { kind: "subagent", agent: "Nietzsche", mode: "link", session: "2026-11-16-root-subjob", tokens: 4040 },
  ]);
  const subagent = await repo.show("2026-11-16-root-subjob");
  expect(subagent.frontmatter).toMatchObject({ parent: "2026-11-15-please-do-the-scripted-thing", tokens_used: 4040 });
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 2 });
});

test("W12 a chat of Gemini becomes a session, also when it was resumed, which writes all messages again", async () => {
  using repo = new ImportRepo();
  const id = "11111111-2222-4333-8444-555555555555";
  repo.leave(".gemini/tmp/work/.project_root", [repo.root]);
  const lines = repo.fixture("gemini.resumed");
  const file = repo.leave(".gemini/tmp/work/chats/session-2026-11-16T12-14-11111111.jsonl", lines.slice(0, 6));
  repo.leave(`.gemini/tmp/work/chats/${id}/de016132.jsonl`, repo.fixture("gemini.subagent"));
  expect(await repo.import()).toMatchObject({ imported: 2, continued: 0, skipped: [] });
  repo.append(
    file,
    lines
      .slice(6)
      .map((line) => `${line}\n`)
      .join(""),
  );
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 1, skipped: [] });
  const { frontmatter, phases } = await repo.show("2026-11-16-first-do-it");
  expect(frontmatter).toMatchObject({ model: "gemini-2.5-pro", tokens_used: 240, participants: ["gemini"] });
  expect(phases.map(({ title, entries }) => [title, entries.map(({ kind }) => kind)])).toEqual([
    ["FIRST do it", ["user", "text", "tokens", "subagent"]],
    ["SECOND resume", ["user", "text", "tokens"]],
  ]);
  const subagent = await repo.show("2026-11-16-subprompt-do-it");
  expect(subagent.frontmatter).toMatchObject({ parent: "2026-11-16-first-do-it", tokens_used: 2020 });
  expect(subagent.phases[0]!.entries).toMatchObject([
    { kind: "user", text: "SUBPROMPT do it" },
    { kind: "tool", name: "run_shell_command", failed: false },
    { kind: "tokens", tokens: 2020 },
  ]);
});

test("W12 a chat of Qwen becomes a session, its subagent a linked one", async () => {
  using repo = new ImportRepo();
  const project = join(".qwen/projects", repo.root.replace(/[^A-Za-z0-9]/g, "-"));
  const parent = "dfd26351-42c9-45ec-aa31-38f0a8f607df";
  const main = repo.fixture("qwen").map((line) => line.replaceAll("a14933f0-fb84-4e5a-88bf-fb8a35e3df6e", parent));
  repo.leave(`${project}/chats/${parent}.jsonl`, main);
  const [meta, ...lines] = repo.fixture("qwen.subagent").slice(0, -1);
  repo.leave(`${project}/subagents/${parent}/agent-1.jsonl`, lines);
  repo.leave(`${project}/subagents/${parent}/agent-1.meta.json`, [meta!]);
  expect(await repo.import()).toMatchObject({ imported: 2, skipped: [] });
  const { frontmatter, phases } = await repo.show("2026-11-15-please-do-the-scripted-thing");
  expect(frontmatter).toMatchObject({ model: "qwen3-coder-plus", tokens_used: 120 });
  expect(phases[0]!.entries).toMatchObject([
    { kind: "user", text: "please do the scripted thing" },
    { kind: "tool", name: "write_file", failed: false },
    { kind: "tokens", tokens: 120 },
    { kind: "subagent", agent: "general-purpose", tokens: 4040, summary: "sub finished" },
  ]);
  expect((await repo.show("2026-11-16-sub-job")).frontmatter).toMatchObject({ tokens_used: 4040 });
});

test("W12 sessions of opencode come from its database", async () => {
  using repo = new ImportRepo();
  const folder = join(repo.userHome, ".local/share/opencode");
  mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(join(folder, "opencode.db"));
  db.exec("PRAGMA journal_mode = WAL");
  const columns = {
    session: ["id", "parent_id", "directory", "title", "agent", "time_created", "time_updated"],
    message: ["id", "session_id", "time_created", "time_updated", "data"],
    part: ["id", "message_id", "session_id", "time_created", "data"],
  };
  for (const [table, names] of Object.entries(columns)) db.exec(`CREATE TABLE ${table} (${names.join(", ")})`);
  for (const line of repo.fixture("opencode")) {
    const row = JSON.parse(line) as Record<string, unknown> & { table: keyof typeof columns };
    const names = columns[row.table];
    const values = names.map((name) => (name === "data" ? JSON.stringify(row[name]) : row[name])) as (
      | string
      | number
    )[];
    db.prepare(`INSERT INTO ${row.table} VALUES (${names.map(() => "?").join(", ")})`).run(...values);
  }
  expect(await repo.import("--engine", "opencode", "--dry-run")).toMatchObject({
    imported: 1,
    continued: 0,
    unchanged: 0,
  });
  const { imported, skipped, sessions } = await repo.import("--engine", "opencode");
  expect([imported, skipped]).toEqual([1, []]);
  const { frontmatter, phases } = await repo.show(sessions[0]!);
  expect(frontmatter).toMatchObject({ title: "Scripted session", tokens_used: 1010, cost_usd: 0.00102 });
  expect(phases[0]!.entries).toMatchObject([
    { kind: "user", text: "MAINPROMPT" },
    { kind: "tool", name: "task", failed: false },
    { kind: "tokens", tokens: 1010, model: "fake-model" },
  ]);
  // It goes on: the rows count, not the bytes.
  const { id } = db.prepare("SELECT id FROM message ORDER BY id DESC LIMIT 1").get() as unknown as { id: string };
  const later = Date.now();
  const message = { role: "user" };
  const session = (frontmatter.engine_sessions as { session: string }[])[0]!.session;
  db.prepare("INSERT INTO message VALUES (?, ?, ?, ?, ?)").run(
    `${id}z`,
    session,
    later,
    later,
    JSON.stringify(message),
  );
  const part = JSON.stringify({ type: "text", text: "And now?" });
  db.prepare("INSERT INTO part VALUES (?, ?, ?, ?, ?)").run("prt_z", `${id}z`, session, later, part);
  db.prepare("UPDATE session SET time_updated = ? WHERE id = ?").run(later, session);
  expect(await repo.import("--engine", "opencode", "--dry-run")).toMatchObject({
    imported: 0,
    continued: 1,
    unchanged: 0,
  });
  expect(await repo.import("--engine", "opencode")).toMatchObject({ imported: 0, continued: 1, unchanged: 0 });
  db.prepare("UPDATE session SET time_updated = ? WHERE id = ?").run(later + 1, session);
  expect(await repo.import("--engine", "opencode", "--dry-run")).toMatchObject({
    imported: 0,
    continued: 0,
    unchanged: 1,
  });
  db.close();
});
