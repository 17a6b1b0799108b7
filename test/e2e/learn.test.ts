import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CaseList, LearningCase, Piece } from "../../src/contract/api/learn.ts";
import { call, LearnRepo, phase, said, user } from "../support/learn-repo.ts";
import { ClaudeLines, ImportRepo } from "../support/transcripts.ts";

const learn = (repo: LearnRepo | ImportRepo, ...args: string[]): Promise<CaseList> =>
  repo.json<CaseList>("session", "learn", ...args);

/** Every piece of a case stands on the line that it names. */
function expectPointers(repo: LearnRepo | ImportRepo, found: LearningCase): void {
  const lines = readFileSync(join(repo.root, found.metadata.path), "utf8").split("\n");
  const pieces: Piece[] =
    found.type === "puzzle"
      ? [...found.context, ...found.failure, ...found.expected]
      : [...found.before, ...found.behaviour, found.words, ...found.expected, ...found.after];
  for (const { line, entry } of pieces) {
    const at = lines[line - 1]!;
    if (entry.kind === "tool") expect(at).toMatch(/^- `/);
    else expect(at).toBe(`> [!${entry.kind === "text" ? "agent" : entry.kind}]`);
  }
}

test("S15 a failure becomes a puzzle; what mended it, and the run that passed, are expected", async () => {
  using repo = new LearnRepo();
  const id = await repo.session(
    "Mend the parser",
    user("Make the tests pass"),
    said("I run them."),
    call("npm test", "expected 3 but got 4 in parser", true),
    said("The index is off by one."),
    call("src/parser.ts", "done", false, "Edit"),
    call("npm test", "12 passed"),
  );
  const { cases, left_out, counts } = await learn(repo, id);
  expect(counts).toEqual({ sessions: 1, puzzles: 1, corrections: 0, open: 0, left_out: {} });
  expect(left_out).toEqual([]);
  const [found] = cases;
  expect(found).toMatchObject({ type: "puzzle", basis: "passing_run", omitted: 0 });
  if (found?.type !== "puzzle") throw new Error("no puzzle");
  expect(found.context.map(({ entry }) => entry.kind)).toEqual(["user", "text"]);
  expect(found.failure.map(({ entry }) => entry)).toEqual([
    expect.objectContaining({ kind: "tool", args: "npm test", failed: true }),
  ]);
  expect(found.expected.map(({ entry }) => (entry.kind === "tool" ? entry.args : entry.kind))).toEqual([
    "text",
    "src/parser.ts",
    "npm test",
  ]);
  expect(found.metadata).toMatchObject({
    session: id,
    path: `.clew/sessions/${id}/session.md`,
    agent: "coder@2",
    model: "m-1",
    engine: null,
    tools: ["Bash", "Edit"],
    commit: repo.git("rev-parse", "HEAD").trim(),
    outcome: "active",
    tags: ["dev", "work"],
  });
  expect(found.id).toBe(`${id}:${found.failure[0]!.line}`);
  expectPointers(repo, found);
});

test("S15 an error gives a puzzle: its resolution is the answer and not the question, and without one it is open", async () => {
  using repo = new LearnRepo();
  const id = await repo.session(
    "Errors",
    { kind: "error", text: "The schema has no column owner", resolution: "Added a migration" },
    { kind: "error", text: "The renderer drops footnotes of footnotes" },
  );
  const { cases, counts } = await learn(repo, id, "--type", "puzzle");
  expect(cases.map(({ basis, open }) => [basis, open !== undefined])).toEqual([
    ["resolution", false],
    [null, true],
  ]);
  expect(counts.open).toBe(1);
  const [resolved] = cases;
  if (resolved?.type !== "puzzle") throw new Error("no puzzle");
  expect(resolved.failure[0]!.entry).toEqual({ kind: "error", text: "The schema has no column owner" });
  expect(resolved.expected[0]!.entry).toMatchObject({ resolution: "Added a migration" });
});

test("S15 a user's words become a correction: what the agent did, what was said, what is right, before and after", async () => {
  using repo = new LearnRepo();
  const id = await repo.session(
    "Log in",
    user("Add a log-in"),
    said("I store the password in a cookie."),
    call("src/login.ts", "written", false, "Write"),
    user("Never store passwords, use a session id", "moved to session ids"),
    call("src/login.ts", "written anew", false, "Write"),
    user("Thanks!"),
  );
  const { cases, left_out } = await learn(repo, id, "--type", "correction");
  expect(left_out.map(({ reason, text }) => [reason, text])).toEqual([["approval", "Thanks!"]]);
  expect(cases).toHaveLength(1);
  const [found] = cases;
  if (found?.type !== "correction") throw new Error("no correction");
  expect(found.basis).toBe("action");
  expect(found.before.map(({ entry }) => entry.kind)).toEqual(["user"]);
  expect(found.behaviour.map(({ entry }) => entry.kind)).toEqual(["text", "tool"]);
  expect(found.words.entry).toMatchObject({ text: "Never store passwords, use a session id" });
  expect(found.expected.map(({ entry }) => entry.kind)).toEqual(["user", "tool"]);
  expect(found.after.map(({ entry }) => entry.kind)).toEqual(["user"]);
  expectPointers(repo, found);
});

test("S15 a correction that was put right again is open, and one that nothing follows", async () => {
  using repo = new LearnRepo();
  const id = await repo.session(
    "Again",
    user("Sort the list"),
    call("sort.ts", "done", false, "Write"),
    user("No, by date"),
    call("sort.ts", "by name", false, "Write"),
    user("That is still not by date"),
  );
  const { cases } = await learn(repo, id);
  expect(cases.map(({ basis, open }) => [basis, open])).toEqual([
    [null, expect.stringMatching(/once more, on line \d+/)],
    [null, "nothing follows the user's words"],
  ]);
});

test("S15 what was done at the user's words is not right where the user's next words put it right again", async () => {
  using repo = new LearnRepo();
  const id = await repo.session(
    "Deploy",
    user("Deploy it"),
    call("deploy production", "done", false, "Bash"),
    user("No, use staging, not production", "switched to staging"),
    user("Still wrong: the URL must end in /staging"),
    call("urls.ts", "done", false, "Write"),
  );
  const { cases } = await learn(repo, id);
  expect(cases.map(({ basis, open }) => [basis, open])).toEqual([
    [null, expect.stringMatching(/once more, on line \d+/)],
  ]);
});

test("S15 a long command does not make one case of what came of it", async () => {
  using repo = new LearnRepo();
  const command = Array.from({ length: 300 }, (_, at) => `step-${"abcdefghij"[at % 10]}${at} --flag`).join(" ");
  const id = await repo.session(
    "Long",
    user("Test it"),
    call(command, "TypeError: user is undefined in the log-in form", true, "Bash"),
    call("login.ts", "done", false, "Write"),
    call(command, "fine", false, "Bash"),
    call(command, "AssertionError: the bill has the wrong sum", true, "Bash"),
    call("bill.ts", "done", false, "Write"),
    call(command, "fine", false, "Bash"),
    user("No, never touch the schema of the database"),
    call("schema.sql", "restored", false, "Write"),
  );
  const { cases } = await learn(repo, id);
  expect(cases.map(({ type }) => type)).toEqual(["puzzle", "puzzle", "correction"]);
});

test("S15 a correction in two messages is followed by what the agent did behind both", async () => {
  using repo = new LearnRepo();
  const id = await repo.session(
    "Two messages",
    user("Add zod"),
    call("npm add zod", "added", false),
    user("no, wrong"),
    user("use pnpm add"),
    call("pnpm add zod", "added by pnpm", false),
    said("Done."),
    user("ok"),
    user("but that is the wrong version"),
    call("pnpm add zod@4", "added", false),
  );
  const { cases, left_out } = await learn(repo, id);
  expect(left_out.map(({ reason }) => reason)).toEqual(["approval"]);
  const shown = cases.map((found) => [
    found.basis,
    found.type === "correction" && found.words.entry.kind === "user" && found.words.entry.text,
    found.expected.map(({ entry }) => (entry.kind === "tool" ? entry.args : "text" in entry ? entry.text : "")),
  ]);
  expect(shown).toEqual([
    ["next_entries", "no, wrong", ["use pnpm add", "pnpm add zod", "Done."]],
    ["next_entries", "but that is the wrong version", ["pnpm add zod@4"]],
  ]);
});

test("S15 noise is left out and told: the machine, the network, time-outs, retries that passed unchanged", async () => {
  using repo = new LearnRepo();
  const id = await repo.session(
    "Noise",
    { kind: "error", text: "API error 429: rate limit reached" },
    call("jqq .", "bash: jqq: command not found", true),
    call("curl x", "curl: (6) Could not resolve host: x", true),
    call("make", "write error: No space left on device", true),
    call("npm run e2e", "one of the pages was white", true),
    call("npm run e2e", "all fine"),
    call("cargo test", "assertion failed: left == right", true),
    call("src/lib.rs", "done", false, "Edit"),
    call("cargo test", "ok"),
  );
  const { cases, left_out, counts } = await learn(repo, id);
  expect(cases.map(({ id: name }) => name)).toHaveLength(1);
  expect(left_out.map(({ reason }) => reason)).toEqual([
    "transient",
    "environment",
    "environment",
    "environment",
    "transient",
  ]);
  expect(counts.left_out).toEqual({ transient: 2, environment: 3 });
  const text = await repo.clew("session", "learn", id);
  expect(text).toMatch(/\S+:\d+ +puzzle +passing run +Bash cargo test/);
  expect(text).toMatch(/ 3 {2}of the machine or the network/);
});

test("S15 the same failure in other words counts once, over all sessions", async () => {
  using repo = new LearnRepo();
  const failing = (path: string, at: string): object[] => [
    call(
      `npx vitest run ${path}`,
      `FAIL ${path} > adds numbers AssertionError: expected ${at} to be 5 at ${path}:${at}:7`,
      true,
    ),
    call(path, "edited", false, "Edit"),
    call(`npx vitest run ${path}`, "1 passed"),
  ];
  const first = await repo.session("One", ...failing("src/a.test.ts", "4"));
  const second = await repo.session("Two", ...failing("lib/deep/a.test.ts", "41"));
  await repo.session(
    "Three",
    call("npm run lint", "unused variable total in the cart", true),
    call("cart.ts", "x", false, "Edit"),
    call("npm run lint", "ok"),
  );
  const { cases, left_out } = await learn(repo);
  expect(cases.map(({ metadata }) => metadata.title)).toEqual(["One", "Three"]);
  expect(left_out).toEqual([expect.objectContaining({ session: second, reason: "duplicate", of: cases[0]!.id })]);
  expect(cases[0]!.metadata.session).toBe(first);
});

test("S15 secrets that a person wrote into the file are redacted in every form", async () => {
  using repo = new LearnRepo();
  const secret = `ghp_${"a1B2c3D4".repeat(4)}abcd`;
  repo.place(
    "2026-11-01-secret",
    { title: "Secret" },
    `\n## Work\n\n**Tool calls:**\n- \`Bash deploy --token ${secret}\` → ✗ the server refused ${secret}\n\n> [!error]\n> it leaks ${secret}  \n> Resolution: rotated ${secret}  \n`,
  );
  for (const args of [
    ["--json"],
    ["--export", "jsonl", "--type", "puzzle"],
    ["--export", "markdown"],
    ["--export", "puzzle"],
    ["--export", "atif"],
  ]) {
    const text = await repo.clew("session", "learn", "2026-11-01-secret", ...args);
    expect([args, text.includes(secret)]).toEqual([args, false]);
    expect(text).toContain("redacted:");
  }
});

test("S15 cases can be filtered by agent, model, engine, outcome, tag and time", async () => {
  using repo = new LearnRepo();
  const failing = [
    call("go test", "index out of range in merge", true),
    call("m.go", "x", false, "Edit"),
    call("go test", "ok"),
  ];
  const id = await repo.session("Filtered", phase("Work"), ...failing);
  await repo.clew("session", "end", id, "--status", "failed");
  const count = async (...args: string[]): Promise<number> => (await learn(repo, ...args)).cases.length;
  expect(await count("--agent", "coder")).toBe(1);
  expect(await count("--agent", "other")).toBe(0);
  expect(await count("--model", "m-1")).toBe(1);
  expect(await count("--model", "m-2")).toBe(0);
  expect(await count("--engine", "claude")).toBe(0);
  expect(await count("--outcome", "failed")).toBe(1);
  expect(await count("--outcome", "completed")).toBe(0);
  expect(await count("--tag", "dev")).toBe(1);
  expect(await count("--tag", "ops")).toBe(0);
  expect(await count("--since", "1d")).toBe(1);
  expect(await count("--since", "2999-01-01")).toBe(0);
  expect(await repo.refused(["session", "learn", "no-such-session"])).toMatchObject({ code: "unknown_session" });
});

test("S15 a damaged session is named, and the others teach all the same", async () => {
  using repo = new LearnRepo();
  await repo.session("Good", { kind: "error", text: "The cache is stale", resolution: "Cleared it" });
  const bad = await repo.session("Bad", { kind: "error", text: "gone" });
  await repo.clew("session", "end", bad);
  writeFileSync(repo.path(bad), "no frontmatter");
  const { cases } = await learn(repo);
  expect(cases.map(({ metadata }) => metadata.title)).toContain("Good");
});

test("S15 W12 sessions that were imported teach, too", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s1");
  repo.leave(repo.claudePath("s1.jsonl"), [
    lines.user("Make the build green"),
    lines.call("m1", "c1", "Bash", { command: "npm run build" }),
    lines.result("c1", "src/a.ts(3,1): error TS2304: Cannot find name 'foo'", true),
    lines.call("m2", "c2", "Edit", { file_path: "src/a.ts", old_string: "foo", new_string: "bar" }),
    lines.result("c2", "edited"),
    lines.call("m3", "c3", "Bash", { command: "npm run build" }),
    lines.result("c3", "built"),
    lines.user("No, do not rename it, import it instead"),
    lines.call("m4", "c4", "Edit", { file_path: "src/a.ts", old_string: "bar", new_string: "foo" }),
    lines.result("c4", "edited"),
    lines.user("Now write the release notes"),
    lines.agent("m5", { type: "text", text: "Here they are." }),
  ]);
  await repo.import();
  const { cases, left_out } = await learn(repo);
  expect(cases.map(({ type, basis }) => [type, basis])).toEqual([
    ["puzzle", "passing_run"],
    ["correction", "next_entries"],
  ]);
  expect(cases[0]!.metadata).toMatchObject({
    engine: "claude",
    agent: "claude",
    model: "claude-sonnet-4-5",
    commit: null,
  });
  expect(left_out.map(({ reason }) => reason)).toEqual(["new_task"]);
  for (const found of cases) expectPointers(repo, found);
});

test("S15 what a session of turns notes of approvals, undos and branches is no correction", async () => {
  using repo = new LearnRepo();
  repo.place("2026-11-01-turns", { kind: "turns", status: "active", participants: ["dev"] });
  const log = (...words: string[]): Promise<string> => repo.clew("session", "log", ...words, "-s", "2026-11-01-turns");
  await log("phase", "Execute 01");
  for (const [text, action] of [
    ["approve all", "EDIT a.txt"],
    ["approve", "EDIT a.txt"],
    ["undo 01", "took back a.txt"],
    ["branch 01", "made 01-branch-01"],
    ["not that file", "deny EDIT a.txt"],
  ] as const) {
    await log("tool", "edit", "--args", "a.txt");
    await log("user", text, "--action", action);
  }
  const { cases, left_out } = await repo.json<CaseList>("session", "learn");
  expect(cases.map((each) => each.type === "correction" && each.words.entry)).toMatchObject([
    { text: "not that file" },
  ]);
  expect(left_out.map(({ reason }) => reason)).toEqual(["approval", "approval", "new_task", "new_task"]);
});
