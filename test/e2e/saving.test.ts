import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

const tokens = (count: number) => ({ kind: "tokens", tokens: count });

/** The count that session.md itself tells, whoever reads it. */
function tokensInFile(repo: Repo, id: string): number | undefined {
  const found = /^tokens_used: (\d+)$/m.exec(repo.read(id));
  return found ? Number(found[1]) : undefined;
}

async function started(repo: Repo, save: string): Promise<string> {
  repo.configure(`save: ${save}\n`);
  const id = await repo.clew("session", "start", "Saved");
  await repo.log(id, { kind: "phase", title: "One" });
  return id;
}

test("S7 save: phase brings the frontmatter up to date when a phase begins, and not before", async () => {
  using repo = new Repo();
  const id = await started(repo, "phase");
  await repo.log(id, tokens(5), { kind: "tool", name: "read", args: "x" });
  expect(tokensInFile(repo, id)).toBeUndefined();
  await repo.clew("session", "log", "phase", "Two", "--agent", "coder@2");
  expect(tokensInFile(repo, id)).toBe(5);
  expect(repo.read(id)).toContain("\nparticipants: [coder@2]\n");
});

test("S7 save: tool does so at each tool call", async () => {
  using repo = new Repo();
  const id = await started(repo, "tool");
  await repo.log(id, tokens(5), { kind: "text", text: "thinking" });
  expect(tokensInFile(repo, id)).toBeUndefined();
  await repo.clew("session", "log", "tool", "read", "--args", "x");
  expect(tokensInFile(repo, id)).toBe(5);
});

test("S7 save: an interval does so with the first entry after it, whatever that is", async () => {
  using repo = new Repo();
  const id = await started(repo, "1d");
  await repo.log(id, tokens(5), { kind: "tool", name: "read", args: "x" }, { kind: "phase", title: "Two" });
  expect(tokensInFile(repo, id)).toBeUndefined();
  repo.configure("save: 1s\n");
  await new Promise((done) => setTimeout(done, 1100));
  await repo.clew("session", "log", "text", "a second later");
  expect(tokensInFile(repo, id)).toBe(5);
});

test.each(["phase", "tool", "1d"])("S7 no reader lags behind an acknowledged entry under save: %s", async (save) => {
  using repo = new Repo();
  const id = await started(repo, save);
  await repo.log(id, tokens(1), { kind: "error", text: "boom" });
  const { sessions } = await repo.json<{ sessions: object[] }>("session", "list");
  expect(sessions).toMatchObject([{ session_id: id, tokens_used: 1, errors: 1, phases: 1 }]);
  await repo.log(id, tokens(10), { kind: "subagent", agent: "tester@3", mode: "inline", tokens: 100 });
  const { groups } = await repo.json<{ groups: object[] }>("session", "stats", "--by", "agent");
  expect(groups).toMatchObject([{ key: "tester@3", sessions: 1, tokens_used: 111 }]);
  await repo.log(id, { kind: "decision_needed", text: "Which one?" });
  expect((await repo.json<{ items: object[] }>("inbox")).items).toMatchObject([{ text: "Which one?", phase: "One" }]);
  await repo.log(id, { kind: "text", text: "a needle here" });
  expect((await repo.json<{ hits: object[] }>("search", "needle")).hits).toMatchObject([
    { session_id: id, phase: "One" },
  ]);
  // A second look at an unchanged word, after the search has been filled once.
  await repo.log(id, { kind: "text", text: "another needle" });
  expect((await repo.json<{ hits: object[] }>("search", "needle")).hits).toHaveLength(2);
});

test("S7 readers bring the file's own frontmatter up to date, and its body stays as it was", async () => {
  using repo = new Repo();
  const id = await started(repo, "1d");
  await repo.log(id, tokens(7), { kind: "text", text: "hello" });
  const body = repo.read(id).split("\n---\n")[1];
  await repo.clew("session", "list");
  expect(tokensInFile(repo, id)).toBe(7);
  expect(repo.read(id).split("\n---\n")[1]).toBe(body);
  expect((await repo.show(id)).frontmatter.tokens_used).toBe(7);
});
