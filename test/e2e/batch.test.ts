import { expect, test } from "vitest";
import { outcomeOf, Repo, textsOf } from "../support/repo.ts";

type Answer = { line: number; ok?: true; id?: string; error?: { code: string; message: string; hint: string } };

async function batch(
  repo: Repo,
  id: string,
  ...lines: (object | string)[]
): Promise<{ code: number | null; answers: Answer[] }> {
  const input = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  const { code, stdout } = await repo.run(["session", "log", "--batch", "--json", "-s", id], { input });
  return {
    code,
    answers: stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Answer),
  };
}

test("S7 a batch answers each line in order, with the ids that were given", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Batch");
  const { code, answers } = await batch(
    repo,
    id,
    { kind: "phase", title: "One" },
    "",
    { kind: "decision_needed", text: "?" },
    { kind: "subagent", agent: "a" },
    { kind: "text", text: "end" },
  );
  expect(code).toBe(0);
  expect(answers).toEqual([
    { line: 1, ok: true },
    { line: 3, ok: true, id: expect.stringMatching(/^q-[a-z0-9]{6}$/) as string },
    { line: 4, ok: true, id: expect.stringMatching(/^\d{4}-\d\d-\d\d-a-batch$/) as string },
    { line: 5, ok: true },
  ]);
});

test("S7 a refused line is named with what is wrong, changes nothing, and the others are kept", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Batch");
  const { code, answers } = await batch(
    repo,
    id,
    { kind: "text", text: "one" },
    "{not json",
    { kind: "txt", text: "a" },
    { kind: "text" },
    { kind: "text", text: "a\0b" },
    { kind: "tool", name: "x", extra: 1 },
    { kind: "tokens", tokens: -1 },
    { kind: "phase", title: "Summary" },
    { kind: "tasks", tasks: [{ id: "1", content: "c", status: "done" }] },
    { kind: "text", text: "x".repeat(9 * 1024 * 1024) },
    { kind: "text", text: "two" },
  );
  expect(code).toBe(2);
  expect(answers.map(({ line, ok }) => [line, ok ?? false])).toEqual(
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((line) => [line, line === 1 || line === 11]),
  );
  const problems = answers.map((answer) => answer.error?.message ?? "");
  expect(problems[1]).toMatch(/^line 2: not JSON: /);
  // Each says what is expected there, not only that something is wrong.
  expect(problems[2]).toMatch(/^line 3: kind: .*\bdecision\b/);
  expect(problems[3]).toMatch(/^line 4: text: .*(?:missing|required|must be)/i);
  expect(problems[4]).toBe("line 5: text: must not contain NUL characters");
  expect(problems[5]).toMatch(/^line 6: .*extra/);
  expect(problems[6]).toMatch(/^line 7: tokens: .*\b0\b/);
  expect(problems[7]).toMatch(/^line 8: title: .*Summary/);
  expect(problems[8]).toMatch(/^line 9: tasks\.0\.status: .*in_progress/);
  expect(problems[9]).toMatch(/^line 10: text: .*(?:long|at most|8)/);
  expect(textsOf(await repo.show(id))).toEqual(["one", "two"]);
});

test("S7 a subagent line that is refused stops neither the lines around it nor their answers", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Batch");
  const { code, answers } = await batch(
    repo,
    id,
    { kind: "text", text: "one" },
    { kind: "subagent", agent: "a", mode: "embed", session: "no-such" },
    { kind: "text", text: "two" },
  );
  expect(answers).toEqual([
    { line: 1, ok: true },
    {
      line: 2,
      error: {
        code: "unknown_session",
        message: "line 2: there is no session no-such",
        hint: expect.any(String) as string,
      },
    },
    { line: 3, ok: true },
  ]);
  expect(code).toBe(2);
  expect(textsOf(await repo.show(id))).toEqual(["one", "two"]);
});

test("S7 a line longer than the program can take is refused by its number", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Batch");
  const { code, answers } = await batch(repo, id, { kind: "text", text: "one" }, "x".repeat(17 * 1024 * 1024), {
    kind: "text",
    text: "two",
  });
  expect(code).toBe(2);
  expect(answers).toMatchObject([
    { line: 1, ok: true },
    { line: 2, error: { code: "invalid_input" } },
    { line: 3, ok: true },
  ]);
});

test("S8 Ctrl-C while a batch waits pauses the session and exits 130", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Interrupted");
  const child = repo.start(["session", "log", "--batch", "--json", "-s", id]);
  const ended = outcomeOf(child);
  child.stdout!.once("data", () => child.kill("SIGINT"));
  child.stdin!.write('{"kind":"phase","title":"Waiting"}\n');
  // The process that feeds it still holds the pipe open; the program must not wait for that.
  const deadline = setTimeout(() => child.kill("SIGKILL"), 30_000);
  expect((await ended).code).toBe(130);
  clearTimeout(deadline);
  expect((await repo.show(id)).frontmatter).toMatchObject({ status: "paused", resume_point: "phase-1" });
});
