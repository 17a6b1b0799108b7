import { expect, test } from "vitest";
import { Repo, textsOf } from "../support/repo.ts";

interface Resumed {
  session_id: string;
  text: string;
}

async function worked(repo: Repo): Promise<string> {
  const id = await repo.clew("session", "start", "Fix the login", "--channel", "dev");
  await repo.log(
    id,
    { kind: "phase", title: "Research", agent: "researcher@1.2" },
    { kind: "tool", name: "read", args: "src/login.ts", result: "142 lines" },
    { kind: "decision", text: "Keep the old cookie" },
    { kind: "phase", title: "Build", agent: "coder@2" },
    { kind: "error", text: "Types do not match", resolution: "Widened them" },
    { kind: "user", text: "Do not touch the schema", action: "Reverted it" },
    { kind: "tasks", tasks: [{ id: "1", content: "Write the test", status: "in_progress" }] },
    { kind: "decision_needed", text: "Drop the index?" },
  );
  return id;
}

test("S8 pause sets status and resume point, saves, and stays paused when repeated", async () => {
  using repo = new Repo();
  const id = await worked(repo);
  expect(await repo.json("session", "pause")).toEqual({ session_id: id, status: "paused" });
  expect(repo.read(id)).toMatch(/^status: paused$/m);
  expect(repo.read(id)).toMatch(/^resume_point: phase-2$/m);
  const before = repo.read(id);
  await repo.clew("session", "pause", id);
  expect(repo.read(id)).toBe(before);
  expect(await repo.clew("session", "list", "--status", "paused")).toContain(id);
});

test("S8 the next command that looks pauses a session that was idle for too long; an entry opens it again", async () => {
  using repo = new Repo();
  const id = await worked(repo);
  repo.configure("idle_timeout: 1s\n");
  await new Promise((done) => setTimeout(done, 1200));
  const { sessions } = await repo.json<{ sessions: object[] }>("session", "list");
  expect(sessions).toMatchObject([{ session_id: id, status: "paused" }]);
  expect(repo.read(id)).toMatch(/^resume_point: phase-2$/m);
  repo.configure("idle_timeout: 0\n");
  await repo.clew("session", "log", "text", "back again", "-s", id);
  const { frontmatter } = await repo.show(id);
  expect(frontmatter.status).toBe("active");
  expect(frontmatter.resume_point).toBeUndefined();
});

test("S9 the context tells what an agent needs to go on", async () => {
  using repo = new Repo();
  const id = await worked(repo);
  await repo.clew("session", "pause");
  const before = repo.record();
  const { session_id, text } = await repo.json<Resumed>("session", "resume", id, "--print-context");
  expect(session_id).toBe(id);
  const told = ["Fix the login", "Research", "read src/login.ts", "142 lines", "Keep the old cookie", "Build"];
  told.push("Types do not match", "Widened them", "Do not touch the schema", "Reverted it", "Write the test");
  told.push("Drop the index?", "phase-2");
  expect(told.filter((each) => !text.includes(each))).toEqual([]);
  expect(await repo.clew("session", "resume", id, "--print-context")).toBe(text.replace(/\n$/, ""));
  expect(repo.record()).toEqual(before);
});

test("S9 --print-context changes nothing on disk, also between two save points", async () => {
  using repo = new Repo();
  const id = await worked(repo);
  await repo.log(id, { kind: "tokens", tokens: 12 }, { kind: "decision", text: "Not saved yet" });
  const before = repo.record();
  expect(await repo.clew("session", "resume", id, "--print-context")).toContain("Not saved yet");
  expect(repo.record()).toEqual(before);
});

test("S9 resume opens a paused or ended session again and prints its context", async () => {
  using repo = new Repo();
  const id = await worked(repo);
  await repo.clew("session", "pause", id);
  expect(await repo.clew("session", "resume", id)).toContain("Keep the old cookie");
  expect(repo.read(id)).toMatch(/^status: active$/m);
  expect(repo.read(id)).not.toMatch(/^resume_point:/m);
  await repo.clew("session", "end", id, "--status", "failed");
  await repo.clew("session", "resume", id);
  await repo.clew("session", "log", "text", "going on");
  const document = await repo.show(id);
  expect(document.frontmatter.status).toBe("active");
  expect(document.frontmatter.ended).toBeUndefined();
  expect(textsOf(document).at(-1)).toBe("going on");
});

test("S9 another engine is refused while there are none, and an unknown session is named", async () => {
  using repo = new Repo();
  const id = await worked(repo);
  const engine = await repo.run(["session", "resume", id, "--engine", "codex", "--json"]);
  expect(engine.code).not.toBe(0);
  expect((JSON.parse(engine.stdout) as { error: { message: string } }).error.message).toContain("codex");
  expect(await repo.refused(["session", "resume", "no-such"])).toMatchObject({ code: "unknown_session" });
});

test("S10 with a small budget every decision is kept, recent phases go first, and what is left out is said", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Long");
  const phases = Array.from({ length: 12 }, (_, at) => [
    { kind: "phase", title: `Part ${at}` },
    { kind: "decision", text: `Decision number ${at}.` },
    ...Array.from({ length: 10 }, (__, line) => ({ kind: "text", text: `detail ${at}-${line} ${"word ".repeat(40)}` })),
  ]);
  await repo.log(id, ...phases.flat());
  const { text } = await repo.json<Resumed>("session", "resume", id, "--print-context", "--budget", "2000");
  expect(phases.map((_, at) => `Decision number ${at}.`).filter((each) => !text.includes(each))).toEqual([]);
  expect(text).toContain("detail 11-9");
  expect(text).not.toContain("detail 0-0 ");
  expect(text).toMatch(/left out/i);
  // Four characters to a token is what English text comes to; no tokenizer's count is off by half.
  expect(text.length).toBeLessThan(2000 * 6);
  const whole = await repo.json<Resumed>("session", "resume", id, "--print-context", "--budget", "100000");
  expect(whole.text).toContain("detail 0-0 ");
  expect(whole.text).not.toMatch(/left out/i);
});

test("S10 a small budget takes our words and never a decision; what it cannot hold is said", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Small");
  const decisions = Array.from({ length: 6 }, (_, at) => `Decision ${at}: keep the table as it is`);
  await repo.log(
    id,
    { kind: "phase", title: "Work" },
    ...decisions.flatMap((text) => [
      { kind: "decision", text },
      { kind: "text", text: "words ".repeat(80) },
    ]),
  );
  for (const budget of ["300", "10"]) {
    const args = ["session", "resume", id, "--print-context", "--budget", budget];
    const context = await repo.json<{ text: string; tokens: number; left_out: string[] }>(...args);
    for (const decision of decisions) expect(context.text).toContain(`> ${decision}`);
    expect(context.left_out.join(" ")).toContain("Left out: 6 of 12 entries");
    expect([budget, context.tokens > Number(budget)]).toEqual([budget, context.left_out[0]!.includes("is exceeded")]);
  }
});

test("S10 phases' headings give way before a decision is shortened", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Many phases");
  const phases = Array.from({ length: 20 }, (_, at) => [
    { kind: "phase", title: `A phase with a rather long title ${at}` },
    { kind: "decision", text: `Decision ${at}: keep the table` },
    { kind: "text", text: "words ".repeat(80) },
  ]);
  await repo.log(id, ...phases.flat());
  const args = ["session", "resume", id, "--print-context", "--budget", "600"];
  const { text, tokens, left_out } = await repo.json<{ text: string; tokens: number; left_out: string[] }>(...args);
  expect(text.match(/^> Decision \d+: keep the table$/gm)).toHaveLength(20);
  expect(text).not.toContain("rather long title 0");
  expect(tokens).toBeLessThanOrEqual(600);
  expect(left_out[0]).toMatch(/^Left out: \d+ of 40 entries, \d+ of 20 headings\.$/);
});
