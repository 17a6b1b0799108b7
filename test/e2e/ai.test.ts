import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRunning } from "../../src/adapters/system/is-running.ts";
import { Repo } from "../support/repo.ts";
import { startClew, until } from "../support/runs.ts";

type News = { type: string; [key: string]: unknown };

/** A repository whose scripted engine plays these turns. */
async function repoWith(turns: object[]): Promise<Repo> {
  const repo = new Repo();
  await repo.clew("init");
  writeFileSync(join(repo.root, "play.json"), JSON.stringify({ turns }));
  repo.env["CLEW_SCRIPT"] = join(repo.root, "play.json");
  return repo;
}

const news = (stdout: string): News[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as News);

const shown = async (
  repo: Repo,
): Promise<{ frontmatter: Record<string, unknown>; kinds: string[]; texts: string[] }> => {
  const { frontmatter, phases } = await repo.json<{
    frontmatter: Record<string, unknown>;
    phases: { title: string; entries: { kind: string; text?: string }[] }[];
  }>("session", "show", "latest");
  const entries = phases.flatMap((phase) => phase.entries);
  return { frontmatter, kinds: entries.map(({ kind }) => kind), texts: entries.flatMap(({ text }) => text ?? []) };
};

test("W10 a talk of one answer is shown as it goes, and recorded as a session of kind chat", async () => {
  using repo = await repoWith([
    { think: "hm", say: "I look", run: "echo seen", usage: { input: 10, output: 3 } },
    { write: { path: "a.txt", content: "one\n" }, say: "Done." },
  ]);
  const { code, stdout, stderr } = await repo.run(["ai", "scripted", "What is here?", "--one-shot"]);
  expect([code, stdout]).toEqual([
    0,
    "hm\nI look\n● Bash echo seen → seen\nDone.\n● Write a.txt → wrote 4 bytes to a.txt\n  +one\n",
  ]);
  expect(stderr).toMatch(/completed · session \d{4}-\d\d-\d\d-what-is-here · engine session \S+ · 13 tokens/);
  const { frontmatter, kinds, texts } = await shown(repo);
  expect(frontmatter).toMatchObject({ kind: "chat", status: "completed", title: "What is here?", tokens_used: 13 });
  expect(kinds).toEqual(["user", "text", "tool", "tokens", "text", "tool"]);
  expect(texts[0]).toBe("What is here?");
});

test("W10 --quiet prints the answer alone; --stdin is the prompt; --json tells all, and how it ended", async () => {
  using repo = await repoWith([{ when: "from a pipe", say: "Heard." }]);
  const quiet = await repo.run(["ai", "scripted", "--stdin", "--quiet"], { input: "from a pipe" });
  expect([quiet.code, quiet.stdout, quiet.stderr]).toEqual([0, "Heard.\n", ""]);
  const { stdout } = await repo.run(["ai", "scripted", "Say it", "--stdin", "--json"], { input: "from a pipe" });
  const all = news(stdout);
  expect(all[0]).toMatchObject({ type: "started", engine: "scripted" });
  expect(all.at(-1)).toMatchObject({ type: "ended", status: "completed", answer: "Heard." });
});

test("W10 in a pipe each line is a further message of one engine session", async () => {
  using repo = await repoWith([{ say: "First." }, { when: "more", say: "More." }]);
  const { code, stdout } = await repo.run(["ai", "scripted", "Begin"], { input: "tell me more\n" });
  expect([code, stdout]).toEqual([0, "First.\nMore.\n"]);
  const { frontmatter, texts } = await shown(repo);
  expect(texts).toEqual(["Begin", "First.", "tell me more", "More."]);
  expect(frontmatter["engine_sessions"]).toHaveLength(1);
});

test("W10 --resume goes on in one session, named by Clew's id or by the engine's own", async () => {
  using repo = await repoWith([{ say: "Hello." }]);
  const first = news((await repo.run(["ai", "scripted", "Begin", "--one-shot", "--json"])).stdout).at(-1)!;
  for (const id of [String(first["engine_session"]), String(first["session_id"]), "latest"]) {
    const { code, stdout } = await repo.run(["ai", "scripted", "Go on", "--one-shot", "--json", "--resume", id]);
    expect([id, code]).toEqual([id, 0]);
    expect(news(stdout).at(-1)).toMatchObject({
      session_id: first["session_id"],
      engine_session: first["engine_session"],
    });
  }
  const unknown = await repo.run(["ai", "scripted", "Go on", "--resume", "2020-01-01-none"]);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining("2020-01-01-none")]);
});

test("W10 a failing engine, an unknown one and an empty prompt are told, with exit codes", async () => {
  using repo = await repoWith([{ fail: "the model is away" }]);
  const failed = await repo.run(["ai", "scripted", "Begin", "--one-shot"]);
  expect([failed.code, failed.stderr]).toEqual([1, expect.stringContaining("the model is away")]);
  const { frontmatter } = await shown(repo);
  expect(frontmatter).toMatchObject({
    status: "failed",
    error: expect.stringContaining("the model is away") as string,
  });
  const unknown = await repo.run(["ai", "clod", "Begin", "--json"]);
  expect([unknown.code, unknown.stdout]).toEqual([2, expect.stringContaining('"unknown_engine"')]);
  const missing = await repo.run(["ai", "scripted"], { input: "" });
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("the prompt is missing")]);
  const noEngine = await repo.run(["ai", "Why does the test fail?"], { input: "" });
  expect([noEngine.code, noEngine.stderr]).toEqual([2, expect.stringContaining("the engine is missing")]);
  const empty = await repo.run(["ai", "scripted", " "]);
  expect([empty.code, empty.stderr]).toEqual([2, expect.stringContaining("the prompt is empty")]);
});

test.each([
  ["allow", true],
  ["deny", false],
])("W10 H9 what goes beyond the level waits in the inbox: %s", async (word, isAllowed) => {
  using repo = await repoWith([
    { ask: { tool: "Bash", input: { command: "rm -rf /nowhere" } }, run: "touch gone" },
    { say: "Done." },
  ]);
  const talk = repo.run(["ai", "scripted", "Begin", "--one-shot"]);
  let items: { id: string; kind: string; text: string }[] = [];
  while (items.length === 0) ({ items } = await repo.json<{ items: typeof items }>("inbox"));
  expect(items[0]).toMatchObject({
    kind: "permission",
    text: expect.stringContaining("Bash rm -rf /nowhere") as string,
  });
  const { needs_you } = await repo.json<{ needs_you: { kind: string }[] }>("status");
  expect(needs_you).toMatchObject([{ kind: "permission" }]);
  await repo.clew("inbox", "answer", items[0]!.id, word);
  expect((await talk).code).toBe(0);
  expect(existsSync(join(repo.root, "gone"))).toBe(isAllowed);
  expect((await repo.json<{ items: unknown[] }>("inbox")).items).toEqual([]);
});

test("W2 --level full asks nothing, read asks for what work does unasked", async () => {
  const turns = [{ ask: { tool: "Write", input: { file_path: "a.txt" } }, write: { path: "a.txt", content: "x" } }];
  using repo = await repoWith(turns);
  for (const level of ["work", "full"]) {
    expect((await repo.run(["ai", "scripted", "Begin", "--one-shot", "--level", level])).code).toBe(0);
  }
  const talk = repo.run(["ai", "scripted", "Begin", "--one-shot", "--level", "read"]);
  await repo.clew("inbox", "answer", (await firstQuestion(repo)).id, "deny");
  expect((await talk).stdout).toContain("It was not allowed.");
});

/** The question of a talk, once it is in the inbox. */
async function firstQuestion(repo: Repo): Promise<{ id: string; session_id: string }> {
  let items: { id: string; session_id: string }[] = [];
  await until(async () => ({ items } = await repo.json<{ items: typeof items }>("inbox")).items.length > 0);
  return items[0]!;
}

const asking = [{ ask: { tool: "Bash", input: { command: "rm -rf /nowhere" } }, run: "touch gone" }, { say: "Done." }];

test("W2 an answer in the session's own text is nobody's: the agent could write it itself", async () => {
  using repo = await repoWith(asking);
  const talk = repo.run(["ai", "scripted", "Begin", "--one-shot"]);
  const { id, session_id } = await firstQuestion(repo);
  appendFileSync(join(repo.root, ".clew/sessions", session_id, "session.md"), `\n> [!answer] ${id}\n> allow\n`);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(existsSync(join(repo.root, "gone"))).toBe(false);
  // The text says that it is answered, so that no inbox has it: the talk is stopped.
  const { pid } = JSON.parse(readFileSync(join(repo.home, "questions", `${id}.json`), "utf8")) as { pid: number };
  process.kill(pid, "SIGTERM");
  expect((await talk).code).toBe(130);
  expect(existsSync(join(repo.root, "gone"))).toBe(false);
});

test("W2 an answer that is none is refused, and the agent waits on", async () => {
  using repo = await repoWith(asking);
  const talk = repo.run(["ai", "scripted", "Begin", "--one-shot"]);
  const { id } = await firstQuestion(repo);
  const refused = await repo.run(["inbox", "answer", id, "alow"]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("or deny alone")]);
  await repo.clew("inbox", "answer", id, "deny");
  expect((await talk).code).toBe(0);
  expect(existsSync(join(repo.root, "gone"))).toBe(false);
});

test("W10 a talk whose process was killed goes on; what its agent asked is asked no more", async () => {
  using repo = await repoWith([...asking, { when: "Go on", say: "Here I am." }]);
  const child = repo.start(["ai", "scripted", "Begin", "--one-shot"]);
  const { id, session_id } = await firstQuestion(repo);
  child.kill("SIGKILL");
  const late = await repo.run(["inbox", "answer", id, "allow"]);
  expect([late.code, late.stderr]).toEqual([2, expect.stringContaining("has ended")]);
  writeFileSync(join(repo.root, "play.json"), JSON.stringify({ turns: [{ say: "Here I am." }] }));
  const resumed = await repo.run(["ai", "scripted", "Go on", "--one-shot", "--quiet", "--resume", session_id]);
  expect([resumed.code, resumed.stdout]).toEqual([0, "Here I am.\n"]);
});

test("W10 D6 a session that names another folder is not resumed there", async () => {
  using repo = await repoWith([{ say: "Hello." }]);
  await repo.run(["ai", "scripted", "Begin", "--one-shot"]);
  const { frontmatter } = await shown(repo);
  const file = join(repo.root, ".clew/sessions", String(frontmatter["session_id"]), "session.md");
  writeFileSync(file, readFileSync(file, "utf8").replace(/"folder":"[^"]*"/, '"folder":"/"'));
  const refused = await repo.run(["ai", "scripted", "Go on", "--one-shot", "--resume", "latest"]);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("could be resumed")]);
});

test("D7 a secret in a prompt is redacted before its title is cut", async () => {
  const secret = ["ghp", "abcdefghijklmnopqrstuvwxyz0123456789"].join("_");
  using repo = await repoWith([{ say: "Hello." }]);
  await repo.run(["ai", "scripted", `Look at this please, all of it and more: ${secret}`, "--one-shot"]);
  const { frontmatter } = await shown(repo);
  const text = readFileSync(join(repo.root, ".clew/sessions", String(frontmatter["session_id"]), "session.md"), "utf8");
  expect(text).not.toContain(secret.slice(0, 12));
});

test("W2 --agent takes role, model and level from the agent's file; one that is missing or wrong is told", async () => {
  using repo = await repoWith([{ ask: { tool: "Write", input: { file_path: "a.txt" } }, say: "Done." }]);
  mkdirSync(join(repo.root, ".clew/agents"), { recursive: true });
  writeFileSync(join(repo.root, ".clew/agents/reader.md"), "---\nmodel: small\nlevel: read\n---\nYou read.\n");
  const talk = repo.run(["ai", "scripted", "Begin", "--one-shot", "--agent", "reader"]);
  const { id } = await firstQuestion(repo);
  await repo.clew("inbox", "answer", id, "deny");
  expect((await talk).code).toBe(0);
  expect((await shown(repo)).frontmatter).toMatchObject({ model: "small" });
  const missing = await repo.run(["ai", "scripted", "Begin", "--agent", "raeder"]);
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("there are reader")]);
  writeFileSync(join(repo.root, ".clew/agents/reader.md"), "---\nlevle: read\n---\n");
  const wrong = await repo.run(["ai", "scripted", "Begin", "--agent", "reader"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("unknown key levle")]);
});

test("W10 D6 after permission_wait the agent is stopped, not denied: the talk pauses with exit 4, and goes on later", async () => {
  using repo = await repoWith([
    { when: "Begin", ask: { tool: "Bash", input: { command: "rm -rf /nowhere" } }, run: "touch gone" },
    { when: "Begin", say: "It was refused." },
    { when: "go on", say: "Done." },
  ]);
  await repo.clew("config", "set", "permission_wait", "1s");
  const { code, stdout, stderr } = await repo.run(["ai", "scripted", "Begin", "--one-shot"]);
  const [, id] = /clew ai scripted --resume (\S+) goes on/.exec(stderr)!;
  expect([code, stderr]).toEqual([4, expect.stringContaining("Bash: rm -rf /nowhere, and had no answer after 1s")]);
  expect(stdout).not.toContain("It was refused.");
  expect((await repo.json<{ items: unknown[] }>("inbox")).items).toEqual([]);
  const { frontmatter, texts } = await shown(repo);
  expect(frontmatter).toMatchObject({ session_id: id, status: "paused" });
  const record = await repo.clew("session", "show", "latest", "--full");
  expect(record).toContain("not answered: nobody answered in time");
  expect(`${record}${texts.join("\n")}${stdout}`).not.toMatch(/not allowed|denied|refused/i);
  const resumed = await repo.run(["ai", "scripted", "go on", "--one-shot", "--resume", id!]);
  expect([resumed.code, resumed.stdout]).toEqual([0, "Done.\n"]);
  const ended = news((await repo.run(["ai", "scripted", "Begin", "--one-shot", "--json"])).stdout).at(-1)!;
  expect(ended).toMatchObject({ status: "paused", permission: { tool: "Bash", subject: "rm -rf /nowhere" } });
});

test("H9 an agent of a talk ends with its clew, also when that is killed", async () => {
  using repo = await repoWith([{ run: "echo $PPID $$ > pids; sleep 300" }]);
  const { child, outcome } = startClew(repo, ["ai", "scripted", "Begin", "--one-shot"]);
  const file = join(repo.root, "pids");
  await until(async () => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
  child.kill("SIGKILL");
  await outcome;
  const pids = readFileSync(file, "utf8").trim().split(" ").map(Number);
  expect(pids).toHaveLength(2);
  await until(async () => pids.every((pid) => !isRunning(pid)));
});
