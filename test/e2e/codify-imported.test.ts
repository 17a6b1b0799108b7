import { DatabaseSync } from "@photostructure/sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CodifiedText } from "../../src/contract/api/codify.ts";
import { bead, write, writeBead } from "../support/grimoires.ts";
import { ImportRepo } from "../support/transcripts.ts";

/** Leaves a transcript of each engine as that engine would. */
const engines: Record<string, (repo: ImportRepo) => void> = {
  claude(repo) {
    repo.leave(repo.claudePath("0a1b2c3d-0000-4000-8000-000000000001.jsonl"), repo.fixture("claude"));
  },
  codex(repo) {
    const name = "rollout-2026-11-15T21-19-42-01a1e114-8c39-74c0-acd9-98041f776f8b.jsonl";
    repo.leave(`.codex/sessions/2026/11/15/${name}`, repo.fixture("codex"));
  },
  gemini(repo) {
    repo.leave(".gemini/tmp/work/.project_root", [repo.root]);
    repo.leave(".gemini/tmp/work/chats/session-2026-11-16T12-14-11111111.jsonl", repo.fixture("gemini"));
  },
  qwen(repo) {
    const project = join(".qwen/projects", repo.root.replace(/[^A-Za-z0-9]/g, "-"));
    repo.leave(`${project}/chats/a14933f0-fb84-4e5a-88bf-fb8a35e3df6e.jsonl`, repo.fixture("qwen"));
  },
  opencode(repo) {
    const folder = join(repo.userHome, ".local/share/opencode");
    mkdirSync(folder, { recursive: true });
    const db = new DatabaseSync(join(folder, "opencode.db"));
    const columns: Record<string, string[]> = {
      session: ["id", "parent_id", "directory", "title", "agent", "time_created", "time_updated"],
      message: ["id", "session_id", "time_created", "time_updated", "data"],
      part: ["id", "message_id", "session_id", "time_created", "data"],
    };
    for (const [table, names] of Object.entries(columns)) db.exec(`CREATE TABLE ${table} (${names.join(", ")})`);
    for (const line of repo.fixture("opencode")) {
      const { table, ...row } = JSON.parse(line) as Record<string, unknown> & { table: string };
      const names = columns[table]!;
      const values = names.map((name) => (name === "data" ? JSON.stringify(row[name]) : row[name]) as string | number);
      db.prepare(`INSERT INTO ${table} VALUES (${names.map(() => "?").join(", ")})`).run(...values);
    }
    db.close();
  },
};

test.each(Object.entries(engines))("S13 an imported session of %s validates, previews and runs", async (_, leave) => {
  using repo = new ImportRepo();
  writeBead(repo, bead);
  write(repo, ".clew/config.yaml", "engine: scripted\n");
  repo.git("add", "--all");
  repo.git("commit", "-q", "-m", "bead");
  write(repo, "script.json", JSON.stringify({ turns: [{ result: { success: true, summary: "done" } }] }));
  Object.assign(repo.env, { CLEW_SCRIPT: join(repo.root, "script.json") });
  leave(repo);
  const { sessions, skipped } = await repo.import();
  expect([sessions.length > 0, skipped]).toEqual([true, []]);
  for (const [at, id] of sessions.entries()) {
    const codified = await repo.json<CodifiedText>("session", "codify", id);
    expect(codified).toMatchObject({ valid: true, problems: [] });
    const skill = await repo.json<CodifiedText>("session", "codify", id, "--format", "skill");
    expect(skill.problems).toEqual([]);
    const file = `workflow-${at}.yaml`;
    writeFileSync(join(repo.root, file), codified.text);
    await repo.clew("grimoire", "preview", file, "--bead", "proj-1");
    const { bead: made } = await repo.json<{ bead: { id: string } }>("bead", "create", `Again ${at}`);
    const { code, stdout } = await repo.run(["run", made.id, "--grimoire", file]);
    expect(code, `${codified.text}\n${stdout}`).toBe(0);
  }
});
