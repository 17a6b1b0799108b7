import { DatabaseSync } from "@photostructure/sqlite";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textsOf } from "../support/repo.ts";
import { ClaudeLines, ImportRepo } from "../support/transcripts.ts";

const text = (words: string): object => ({ type: "text", text: words });

test("W12 a transcript that was rewritten loses nothing and doubles nothing: what is newer is added, and that is told", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const first = [
    lines.user("Begin"),
    lines.agent("m-1", text("One")),
    lines.agent("m-2", text("Two")),
    lines.user("More"),
    lines.agent("m-3", text("Taken back, with some more words, so that this line is longer than those that follow")),
    lines.agent("m-4", text("Taken back, too")),
  ];
  const path = repo.claudePath("s-1.jsonl");
  repo.leave(path, first);
  const [id] = (await repo.import()).sessions as [string];
  // The engine goes back two lines.
  repo.leave(path, first.slice(0, 4));
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 1, skipped: [] });
  const file = repo.leave(path, [
    ...first.slice(0, 4),
    ...["A", "B", "C"].map((words, at) => lines.agent(`m-${at + 5}`, text(words))),
  ]);
  expect(await repo.import("--dry-run")).toMatchObject({ continued: 1, skipped: [{ path: file }] });
  expect(await repo.import()).toMatchObject({
    continued: 1,
    skipped: [
      { path: file, reason: expect.stringMatching(/rewritten.*newer than 2026-11-15T10:00:05.000Z/) as string },
    ],
  });
  const shown = await repo.show(id);
  const said = textsOf(shown).filter((each) => each !== "tokens");
  expect(said.map((each) => each.slice(0, 10))).toEqual([
    "Begin",
    "One",
    "Two",
    "More",
    "Taken back",
    "Taken back",
    "A",
    "B",
    "C",
  ]);
  expect(shown.frontmatter).toMatchObject({ tokens_used: 770, cost_usd: 0.00315 });
  expect(await repo.import()).toMatchObject({ continued: 0, unchanged: 1, skipped: [] });
  repo.append(file, `${lines.agent("m-8", text("D"))}\n`);
  expect(await repo.import()).toMatchObject({ continued: 1, skipped: [] });
  expect(textsOf(await repo.show(id)).filter((each) => /^[A-D]$/.test(each))).toEqual(["A", "B", "C", "D"]);
});

test("W12 a session that was imported before marks were kept goes on, also when its transcript is shorter now", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const first = [lines.user("Begin"), lines.agent("m-1", text("One")), lines.agent("m-2", text("Taken back"))];
  const path = repo.claudePath("s-1.jsonl");
  const file = repo.leave(path, first);
  const [id] = (await repo.import()).sessions as [string];
  const record = join(repo.root, ".clew/sessions", id, "session.md");
  const older = readFileSync(record, "utf8").replace(/,"mark":"[^"]*","until":"[^"]*"/, "");
  expect(older).not.toContain("mark");
  writeFileSync(record, older);
  repo.append(file, `${lines.agent("m-3", text("Two"))}\n`);
  expect(await repo.import()).toMatchObject({ continued: 1, skipped: [] });
  expect(readFileSync(record, "utf8")).toContain("mark");
  writeFileSync(record, readFileSync(record, "utf8").replace(/,"mark":"[^"]*","until":"[^"]*"/, ""));
  repo.leave(path, [...first.slice(0, 1), lines.agent("m-4", text("New"))]);
  expect(await repo.import()).toMatchObject({ continued: 1, skipped: [{ path: file }] });
  const said = textsOf(await repo.show(id)).filter((each) => each !== "tokens");
  expect(said).toEqual(["Begin", "One", "Taken back", "Two", "New"]);
});

test("W12 rows of opencode that were taken back and others that came are told apart", async () => {
  using repo = new ImportRepo();
  const folder = join(repo.userHome, ".local/share/opencode");
  mkdirSync(folder, { recursive: true });
  using db = new DatabaseSync(join(folder, "opencode.db"));
  db.exec("CREATE TABLE session (id, parent_id, directory, title, agent, time_created, time_updated)");
  db.exec("CREATE TABLE message (id, session_id, time_created, time_updated, data)");
  db.exec("CREATE TABLE part (id, message_id, session_id, time_created, data)");
  const start = Date.parse("2026-11-15T10:00:00Z");
  db.prepare("INSERT INTO session VALUES ('ses_1', NULL, ?, 'Talk', NULL, ?, ?)").run(repo.root, start, start);
  const say = (number: number, words: string): void => {
    const at = start + number * 1000;
    const data = JSON.stringify({ role: "user" });
    db.prepare("INSERT INTO message VALUES (?, 'ses_1', ?, ?, ?)").run(`msg_${number}`, at, at, data);
    const part = JSON.stringify({ type: "text", text: words });
    db.prepare("INSERT INTO part VALUES (?, ?, 'ses_1', ?, ?)").run(`prt_${number}`, `msg_${number}`, at, part);
    db.prepare("UPDATE session SET time_updated = ?").run(at);
  };
  for (const number of [1, 2, 3]) say(number, `Word ${number}`);
  const [id] = (await repo.import("--engine", "opencode")).sessions as [string];
  db.exec("DELETE FROM message WHERE id >= 'msg_2'; DELETE FROM part WHERE id >= 'prt_2'");
  for (const number of [4, 5, 6]) say(number, `Word ${number}`);
  expect(await repo.import("--engine", "opencode")).toMatchObject({ continued: 1, skipped: [{}] });
  expect(textsOf(await repo.show(id))).toEqual([1, 2, 3, 4, 5, 6].map((number) => `Word ${number}`));
  say(7, "Word 7");
  expect(await repo.import("--engine", "opencode")).toMatchObject({ continued: 1, skipped: [] });
  expect(textsOf(await repo.show(id)).at(-1)).toBe("Word 7");
});
