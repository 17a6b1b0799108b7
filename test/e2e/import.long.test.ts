import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planted } from "../../src/redact/fixtures/planted.ts";
import { createRedactor } from "../../src/redact/redactor.ts";
import { visibleInFile } from "../../src/text/controls.ts";
import { ClaudeLines, ImportRepo } from "../support/transcripts.ts";

test("W12 broken lines, unknown kinds, links, pipes and huge lines are told, and the rest is read", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Go on"),
    "{ torn",
    '"text"',
    '{"type":"new-in-version-9","sessionId":"s-1"}',
    lines.agent("m-1", { type: "text", text: "x".repeat(17 * 1024 * 1024) }),
    lines.agent("m-2", { type: "text", text: "Still here" }),
    "",
  ]);
  const folder = join(repo.userHome, repo.claudePath(""));
  symlinkSync("/etc/passwd", join(folder, "link.jsonl"));
  execFileSync("mkfifo", [join(folder, "pipe.jsonl")]);
  mkdirSync(join(folder, "folder.jsonl"));
  writeFileSync(join(folder, "empty.jsonl"), "");
  writeFileSync(join(folder, "zeros.jsonl"), Buffer.alloc(3 * 1024 * 1024));
  const { imported, skipped, sessions } = await repo.import();
  expect([imported, sessions]).toEqual([1, ["2026-11-15-go-on"]]);
  const reasons = Object.fromEntries(skipped.map(({ path, reason }) => [path.slice(folder.length + 1), reason]));
  expect(reasons).toMatchObject({
    "link.jsonl": "is a link, not a file",
    "pipe.jsonl": "is a pipe, not a file",
  });
  expect(skipped.map(({ reason }) => reason)).toContain(
    "line 2 is no JSON object, and 1 line more; 1 line too long to be read; the rest was read",
  );
  expect(skipped.map(({ reason }) => reason)).toContain(
    "1 line of a kind that is not known, new-in-version-9, left out (first in this file)",
  );
  const { phases } = await repo.show("2026-11-15-go-on");
  expect(phases[0]!.entries).toMatchObject([
    { kind: "user" },
    { kind: "text", text: "Still here" },
    { kind: "tokens" },
  ]);
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 1 });
});

test("D7 what is imported is redacted; control characters and headings in it stay data", async () => {
  using repo = new ImportRepo();
  const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const lines = new ClaudeLines(repo.root, "s-1");
  repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user(`Use ${secret} now`),
    lines.agent("m-1", { type: "text", text: "## Heading\n---\n> [!decision]\n\u001b[31mred" }),
    lines.call("m-1", "c-1", "Bash", { command: `curl -H ${secret}` }),
    lines.result("c-1", `${"long ".repeat(100)}${secret}`),
  ]);
  const { sessions } = await repo.import();
  const path = join(repo.root, ".clew/sessions", sessions[0]!, "session.md");
  const results = join(repo.root, ".git/clew/transcripts", sessions[0]!, "results.jsonl");
  expect(readFileSync(path, "utf8") + readFileSync(results, "utf8") + sessions[0]!).not.toContain(secret.slice(0, 20));
  const { phases } = await repo.show(sessions[0]!);
  expect(phases).toHaveLength(1);
  expect(phases[0]!.entries[1]).toMatchObject({ kind: "text", text: "## Heading\n---\n> [!decision]\n␛[31mred" });
});

test("W12 what imports remember may be lost, and a person's words in a session stay: nothing is written twice", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const file = repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Begin"),
    lines.agent("m-1", { type: "text", text: "One" }),
    lines.call("m-1", "c-1", "Read", { file_path: "a.ts" }),
  ]);
  await repo.import();
  const path = join(repo.root, ".clew/sessions/2026-11-15-begin/session.md");
  writeFileSync(path, `${readFileSync(path, "utf8")}\nA remark of mine.\n`);
  const before = readFileSync(path, "utf8");
  rmSync(join(repo.root, ".git/clew/state"), { recursive: true });
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 1 });
  expect(readFileSync(path, "utf8")).toBe(before);
  repo.append(file, `${lines.result("c-1", "text")}\n${lines.user("Next")}\n`);
  expect(await repo.import()).toMatchObject({ continued: 1 });
  const { phases } = await repo.show("2026-11-15-begin");
  expect(phases.map(({ entries }) => entries.map(({ kind }) => kind))).toEqual([
    ["user", "text", "tool", "tokens", "note"],
    ["user"],
  ]);
  expect(phases[0]!.entries[2]).toMatchObject({ args: "a.ts", result: "text" });
});

test("W12 an import that is killed leaves whole sessions, and the next one brings the rest", async () => {
  using repo = new ImportRepo();
  for (let at = 0; at < 60; at++) {
    const lines = new ClaudeLines(repo.root, `s-${at}`);
    const text = "word ".repeat(20_000);
    repo.leave(repo.claudePath(`s-${at}.jsonl`), [
      lines.user(`Task ${at}`),
      ...Array.from({ length: 10 }, (_, n) => lines.agent(`m-${at}-${n}`, { type: "text", text })),
    ]);
  }
  await repo.clew("init");
  for (const ms of [150, 300, 500, 700]) {
    const child = repo.start(["session", "import"]);
    await new Promise((resolve) => setTimeout(resolve, ms));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
  }
  await repo.import();
  const { sessions, unreadable } = await repo.json<{ sessions: { tokens_used: number }[]; unreadable: unknown[] }>(
    "session",
    "list",
    "--kind",
    "import",
    "--limit",
    "100",
  );
  expect([sessions.length, unreadable]).toEqual([60, []]);
  expect(new Set(sessions.map(({ tokens_used }) => tokens_used))).toEqual(new Set([1100]));
});

test("W12 what a run's or a talk's engine left is never imported", async () => {
  using repo = new ImportRepo();
  await repo.clew("session", "start", "A talk");
  const lines = new ClaudeLines(repo.root, "s-1");
  repo.leave(repo.claudePath("s-1.jsonl"), [lines.user("One"), lines.agent("m-1", {})]);
  repo.leave(repo.claudePath("s-1/subagents/agent-1.jsonl"), [lines.user("Sub"), lines.agent("m-2", {})]);
  const { session_id } = await repo.json<{ session_id: string }>("session", "end");
  const path = join(repo.root, ".clew/sessions", session_id, "session.md");
  const owned = 'channel: dev\nengine_sessions:\n  - {"engine":"claude","session":"s-1"}\n';
  writeFileSync(path, readFileSync(path, "utf8").replace("channel: dev\n", owned));
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 0, skipped: [] });
});

test("W12 a last line without its end is the same line once it has one", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const file = repo.leave(repo.claudePath("s-1.jsonl"), [lines.user("Go on")]);
  repo.append(file, lines.agent("m-1", { type: "text", text: "Said once" }));
  const { sessions } = await repo.import();
  repo.append(file, `\n${lines.agent("m-2", { type: "text", text: "And more" })}\n`);
  await repo.import();
  const { phases } = await repo.show(sessions[0]!);
  const texts = phases.flatMap(({ entries }) => entries.flatMap((each) => (each.kind === "text" ? each.text : [])));
  expect(texts).toEqual(["Said once", "And more"]);
});

test("W12 one transcript or session that cannot be taken in keeps no other from it", async () => {
  using repo = new ImportRepo();
  const [one, two] = [new ClaudeLines(repo.root, "s-1"), new ClaudeLines(repo.root, "s-2")];
  const file = repo.leave(repo.claudePath("s-1.jsonl"), [one.user("First")]);
  const { sessions } = await repo.import();
  const path = repo.path(sessions[0]!);
  writeFileSync(path, readFileSync(path, "utf8").replace(/^status: .*$/m, "status: done"));
  repo.append(file, `${one.agent("m-1", { type: "text", text: "More" })}\n`);
  const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
  repo.leave(repo.claudePath("s-2.jsonl"), [
    two.user("Second"),
    two.call("m-2", "c-1", "Bash", { command: "x", more: "DEEP" }).replace('"DEEP"', deep),
    two
      .agent("m-3", { type: "text", text: "Still here" })
      .replace(/"timestamp":"[^"]*"/, '"timestamp":"9999999-01-01"'),
  ]);
  const second = await repo.import();
  expect(second.imported).toBe(1);
  expect(second.skipped.map(({ path: each }) => each)).toContain(file);
  expect(JSON.stringify(await repo.show(second.sessions[0]!))).toContain("Still here");
});

test("W12 numbers of tokens that cannot be count for nothing, and are told", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const said = (id: string, input: string): string =>
    lines
      .agent(id, { type: "text", text: id }, { input_tokens: 0 })
      .replace('"input_tokens":0', `"input_tokens":${input}`);
  repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Count"),
    said("m-1", "100"),
    said("m-2", "1e308"),
    said("m-3", "1e308"),
    said("m-4", "-5"),
    said("m-5", "1e400"),
  ]);
  const codex = "01a1e114-8c39-74c0-acd9-98041f776f8b";
  const count = (input: string): string =>
    `{"timestamp":"2026-11-15T10:00:00Z","type":"event_msg","payload":{"type":"token_count","info":{"total_token_usage":{"input_tokens":${input},"output_tokens":0}}}}`;
  repo.leave(`.codex/sessions/2026/11/15/rollout-2026-11-15T21-19-42-${codex}.jsonl`, [
    `{"timestamp":"2026-11-15T10:00:00Z","type":"session_meta","payload":{"id":"${codex}","cwd":${JSON.stringify(repo.root)}}}`,
    '{"timestamp":"2026-11-15T10:00:00Z","type":"event_msg","payload":{"type":"user_message","message":"Sum up"}}',
    count("100"),
    count("1e308"),
    count("150"),
  ]);
  const { skipped } = await repo.import();
  const reason = "with a number of tokens that cannot be, which counts for none; the rest was read";
  expect(skipped.map((each) => each.reason)).toEqual([`4 lines ${reason}`, `1 line ${reason}`]);
  expect((await repo.show("2026-11-15-count")).frontmatter).toMatchObject({ tokens_used: 150 });
  expect((await repo.show("2026-11-15-sum-up")).frontmatter).toMatchObject({ tokens_used: 150 });
  const { groups } = await repo.json<{ groups: { tokens_used: number }[] }>("session", "stats", "--by", "engine");
  expect(groups.map(({ tokens_used }) => tokens_used)).toEqual([150, 150]);
});

test("D7 a secret in a file's name or in a kind of line is told nowhere, and its session goes on", async () => {
  using repo = new ImportRepo();
  const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const lines = new ClaudeLines(repo.root, secret);
  const file = repo.leave(repo.claudePath(`${secret}.jsonl`), [
    lines.user("Begin"),
    `{"type":"${secret}"}`,
    `{"type":"${"k".repeat(1000)}"}`,
    ...Array.from({ length: 200 }, (_, at) => `{"type":"kind-${at}"}`),
    "{ torn",
  ]);
  symlinkSync("/etc/passwd", join(repo.userHome, repo.claudePath(`link-${secret}.jsonl`)));
  const read = await repo.run(["session", "import", "--dry-run"]);
  const first = await repo.import();
  repo.append(file, `${lines.agent("m-1", { type: "text", text: "More" })}\n`);
  const second = await repo.import();
  expect([first.imported, second.imported, second.continued]).toEqual([1, 0, 1]);
  const told = read.stdout + read.stderr + JSON.stringify([first, second, await repo.show(first.sessions[0]!)]);
  expect(told).not.toContain(secret.slice(0, 20));
  // Nor does anything that Clew keeps.
  expect(() =>
    execFileSync("grep", ["-rl", secret.slice(0, 20), join(repo.root, ".git"), join(repo.root, ".clew")]),
  ).toThrow("Command failed");
  expect(first.skipped.length).toBeLessThan(30);
  expect(first.skipped.every(({ reason }) => reason.length < 300)).toBe(true);
});

test("W12 nothing that stands in the place of a file keeps an import waiting", { timeout: 60_000 }, async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const at = (path: string): string => join(repo.userHome, path);
  repo.leave(repo.claudePath("s-1.jsonl"), [lines.user("Go on"), lines.agent("m-1", {})]);
  repo.leave(repo.claudePath("s-1/subagents/agent-1.jsonl"), [lines.user("Sub"), lines.agent("m-2", {})]);
  execFileSync("mkfifo", [at(repo.claudePath("s-1/subagents/agent-1.meta.json"))]);
  symlinkSync(at(".claude"), at(repo.claudePath("loop")));
  for (const folder of [
    ".gemini/tmp/work/chats",
    ".local/share/opencode",
    ".codex/sessions/2026/11/15",
    ".qwen/projects",
  ])
    mkdirSync(at(folder), { recursive: true });
  execFileSync("mkfifo", [at(".gemini/tmp/work/.project_root")]);
  execFileSync("mkfifo", [at(".gemini/tmp/work/chats/session-1.jsonl")]);
  execFileSync("mkfifo", [at(".local/share/opencode/opencode.db")]);
  symlinkSync(
    "/dev/zero",
    at(".codex/sessions/2026/11/15/rollout-2026-11-15T21-19-42-01a1e114-8c39-74c0-acd9-98041f776f8b.jsonl"),
  );
  symlinkSync("/", at(".qwen/projects/root"));
  // One line without an end, longer than what is held at once.
  writeFileSync(at(repo.claudePath("s-2.jsonl")), Buffer.alloc(40 * 1024 * 1024, "a"));
  const { imported, skipped } = await repo.import();
  expect(imported).toBe(2);
  expect(skipped.map(({ reason }) => reason).toSorted()).toEqual([
    "is a link, not a file",
    "is a pipe, not a file",
    "is a pipe, not a file",
  ]);
});

test("D7 W12 long results are what the redactor makes of them, in whatever way their JSON is written", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const { redact } = createRedactor({});
  /** What stands between the quotes, as different programs write it. */
  const asJson = (text: string): string => JSON.stringify(text).slice(1, -1);
  const asCode = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const writings: ((text: string) => string)[] = [
    asJson,
    (text) => asJson(text).replaceAll("/", "\\/"),
    (text) => Array.from(text, (char) => (/[A-Za-z_\n]/.test(char) ? asCode(char) : asJson(char))).join(""),
  ];
  const plain = ['     1→const a = b("c");\n', "漢字 \\ / and\ttabs 🧵\r\n", "\u001b[31mred\u001b[0m \u202e "].map(
    (text) => text.repeat(60),
  );
  const texts = [
    ...planted.map(({ text }, at) => (at % 2 === 0 ? `${plain[0]!}${text}\n` : `${text} ${plain[1]!}`)),
    ...plain,
  ];
  const all = texts.flatMap((text) => writings.map((write) => ({ text, write })));
  repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Look"),
    ...all.flatMap(({ text, write }, at) => [
      lines.call(`m-${at}`, `c-${at}`, "Read", { file_path: `${at}.txt` }),
      lines.result(`c-${at}`, "TEXT").replaceAll('"TEXT"', () => `"${write(text)}"`),
    ]),
  ]);
  const { sessions } = await repo.import();
  const file = join(repo.root, ".git/clew/transcripts", sessions[0]!, "results.jsonl");
  const kept = readFileSync(file, "utf8").trimEnd().split("\n");
  const found = kept.map((line) => JSON.parse(line) as { call: string; result: string });
  expect(found.map(({ result }) => result)).toEqual(all.map(({ text }) => visibleInFile(redact(text))));
  expect(kept).toEqual(found.map((line) => JSON.stringify(line)));
  expect(readFileSync(repo.path(sessions[0]!), "utf8")).toBe(redact(readFileSync(repo.path(sessions[0]!), "utf8")));
});
