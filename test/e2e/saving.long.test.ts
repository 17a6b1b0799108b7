import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

const tokens = (count: number) => ({ kind: "tokens", tokens: count });

/** The count that session.md itself tells every reader. */
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

/** The agents that session.md itself tells of. */
const agentsInFile = (repo: Repo, id: string): string | undefined =>
  /^participants: \[(.*)\]$/m.exec(repo.read(id))?.[1];

test("S7 save: phase brings the frontmatter up to date when a phase begins, and not before", async () => {
  using repo = new Repo();
  const id = await started(repo, "phase");
  await repo.log(id, { kind: "tool", name: "read", args: "x" });
  const before = repo.read(id);
  expect(before).not.toContain("\nparticipants");
  await repo.clew("session", "log", "phase", "Two", "--agent", "coder@2");
  expect(agentsInFile(repo, id)).toBe("coder@2");
});

test("S7 save: an interval does so with the first entry after it, whatever that is", async () => {
  using repo = new Repo();
  const id = await started(repo, "1d");
  await repo.log(id, { kind: "tool", name: "read", args: "x" }, { kind: "phase", title: "Two", agent: "coder@2" });
  expect(agentsInFile(repo, id)).toBeUndefined();
  repo.configure("save: 1s\n");
  await new Promise((done) => setTimeout(done, 1100));
  await repo.clew("session", "log", "text", "a second later");
  expect(agentsInFile(repo, id)).toBe("coder@2");
});

test.each(["phase", "tool", "1d"])("S7 save: %s, the file tells of tokens and subagents at once", async (save) => {
  using repo = new Repo();
  const id = await started(repo, save);
  await repo.clew("session", "log", "tokens", "5", "-s", id);
  expect(tokensInFile(repo, id)).toBe(5);
  await repo.log(id, tokens(2), { kind: "subagent", agent: "linter@1", mode: "inline", tokens: 10 });
  expect(tokensInFile(repo, id)).toBe(17);
  const subagents = () => /^subagents:\n((?: {2}- .*\n)+)/m.exec(repo.read(id))![1]!.trim().split("\n  ").at(-1);
  expect(subagents()).toBe('- {"agent":"linter@1","tokens":10}');
  const child = await repo.clew("session", "log", "subagent", "--agent", "tester@3", "--mode", "link", "-s", id);
  expect(subagents()).toBe(`- {"session":"${child}","agent":"tester@3"}`);
  await repo.clew("session", "log", "tokens", "40", "-s", child);
  await repo.clew("session", "end", child, "--summary", "green");
  expect(subagents()).toBe(`- {"session":"${child}","agent":"tester@3","tokens":40}`);
  expect([tokensInFile(repo, id), tokensInFile(repo, child)]).toEqual([17, 40]);
});

test.each(["phase", "tool", "1d"])("S7 no reader lags behind an acknowledged entry under save: %s", async (save) => {
  using repo = new Repo();
  const id = await started(repo, save);
  await repo.log(id, tokens(1), { kind: "error", text: "boom" });
  const { sessions } = await repo.json<{ sessions: object[] }>("session", "list");
  expect(sessions).toMatchObject([{ session_id: id, tokens_used: 1, errors: 1, phases: 1 }]);
  await repo.log(id, tokens(10), { kind: "subagent", agent: "tester@3", mode: "inline", tokens: 100 });
  const { groups } = await repo.json<{ groups: object[] }>("session", "stats", "--by", "agent");
  expect(groups).toMatchObject([
    { key: "(none)", sessions: 1, tokens_used: 11 },
    { key: "tester@3", sessions: 1, tokens_used: 100 },
  ]);
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

test("S7 readers tell what was logged since the save point, and the file stays as it was", async () => {
  using repo = new Repo();
  const id = await started(repo, "1d");
  await repo.log(id, { kind: "phase", title: "Two", agent: "coder@2" }, { kind: "text", text: "hello" });
  const before = repo.read(id);
  const { sessions } = await repo.json<{ sessions: object[] }>("session", "list");
  expect(sessions).toMatchObject([{ participants: ["coder@2"], phases: 2 }]);
  expect((await repo.show(id)).frontmatter.participants).toEqual(["coder@2"]);
  expect(repo.read(id)).toBe(before);
  await repo.clew("session", "pause", id);
  expect(agentsInFile(repo, id)).toBe("coder@2");
});
