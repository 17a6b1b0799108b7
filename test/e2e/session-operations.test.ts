import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Api } from "../../src/contract/api/api.ts";
import type { ListedSession } from "../../src/contract/api/session-list.ts";
import type { Operation } from "../../src/contract/api/operation.ts";
import { operations } from "../../src/contract/api/table.ts";
import { openOperations } from "../../src/main/operations.ts";
import { Repo } from "../support/repo.ts";

const builtins = resolve(import.meta.dirname, "../../builtins");

/** The operations of one repository, as a front end in this process has them. */
async function inApi(repo: Repo, work: (api: Api) => Promise<void>): Promise<void> {
  const program = { version: "0", builtins, engines: builtins };
  const surrounding = { cwd: repo.root, env: { HOME: repo.root }, program };
  const { api, close } = openOperations({ ...surrounding, progress: () => undefined, warn: () => undefined });
  try {
    await work(api);
  } finally {
    await close();
  }
}

/** What a command prints must be the response of its operation, as the table describes it. */
function expectShape<Resource extends keyof Api>(
  resource: Resource,
  operation: keyof Api[Resource] & string,
  value: unknown,
): void {
  const { response } = (operations[resource] as Record<string, Operation>)[operation]!;
  const read = response.safeParse(value);
  expect(read.error?.issues ?? [], `${resource}.${operation}`).toEqual([]);
}

test("B.10 what --json prints is what the table of operations says", async () => {
  using repo = new Repo();
  expectShape("status", "show", await repo.json("status"));
  const started = await repo.json<{ session_id: string }>("session", "start", "First", "--agent", "coder@2");
  expectShape("sessions", "start", started);
  const id = started.session_id;
  const entries = [
    ["phase", "Plan", "--agent", "coder@2", "--channel", "dev"],
    ["tool", "bash", "--args", "npm test", "--result", "x".repeat(300), "--failed"],
    ["tool", "bash", "--args", "y".repeat(20_000)],
    ["text", "Said"],
    ["decision", "Decided"],
    ["decision_needed", "Which?"],
    ["approval_required", "May I?"],
    ["task_complete", "Done"],
    ["error", "Broke", "--resolution", "Mended"],
    ["user", "No", "--action", "Stopped"],
    ["subagent", "--agent", "tester", "--mode", "inline", "--summary", "green", "--tokens", "5", "--model", "opus"],
    ["subagent", "--agent", "linked", "--mode", "link"],
    ["subagent", "--agent", "inside", "--mode", "embed", "--summary", "found it", "--content", "-"],
    ["tokens", "12", "--model", "opus"],
  ];
  for (const entry of entries) expectShape("sessions", "log", await repo.json("session", "log", ...entry, "-s", id));
  const tasks = [
    { id: "1", content: "a", status: "pending" },
    { id: "2", content: "b", status: "completed", priority: "high" },
  ];
  writeFileSync(join(repo.root, "tasks.json"), JSON.stringify(tasks));
  await repo.clew("session", "log", "tasks", "tasks.json", "-s", id);
  const input = '{"kind":"decision_needed","text":"Now?"}\n{"kind":"nonsense"}\n';
  const batch = await repo.run(["session", "log", "--batch", "--json", "-s", id], { input });
  const answers = batch.stdout.trimEnd().split("\n");
  expect(answers).toHaveLength(2);
  expectShape(
    "sessions",
    "logLines",
    answers.map((line) => JSON.parse(line) as unknown),
  );
  expectShape("sessions", "show", await repo.json("session", "show", id));
  expectShape("sessions", "list", await repo.json("session", "list", "-n", "2"));
  expectShape("sessions", "totals", await repo.json("session", "stats", "--by", "agent"));
  expectShape("sessions", "context", await repo.json("session", "resume", id, "--print-context"));
  expectShape("search", "find", await repo.json("search", "Decided"));
  const inbox = await repo.json<{ items: { id: string }[] }>("inbox");
  expect(inbox.items).toHaveLength(3);
  expectShape("inbox", "list", inbox);
  expectShape("inbox", "answer", await repo.json("inbox", "answer", inbox.items[0]!.id, "Yes"));
  expectShape("sessions", "pause", await repo.json("session", "pause", id));
  expectShape("status", "show", await repo.json("status"));
  expectShape("sessions", "resume", await repo.json("session", "resume", id));
  expectShape("sessions", "end", await repo.json("session", "end", id, "--status", "failed", "--error", "no"));
  const { frontmatter } = await repo.show(id);
  const child = frontmatter.subagents!.find(({ agent }) => agent === "linked")!.session!;
  expectShape("sessions", "delete", await repo.json("session", "delete", child, "--yes"));
  expectShape("sessions", "stats", await repo.json("session", "stats", id));
  expectShape("sessions", "show", await repo.json("session", "show", id));
  expectShape("sessions", "rename", await repo.json("session", "rename", id, "Other"));
  expectShape("sessions", "archive", await repo.json("session", "archive", id));
  writeFileSync(join(repo.root, ".clew/sessions", id, "session.md"), "---\nno frontmatter\n");
  expectShape("sessions", "checkIndex", await repo.json("index", "check"));
  expectShape("sessions", "rebuildIndex", await repo.json("index", "rebuild"));
  expectShape("sessions", "list", await repo.json("session", "list"));
  expectShape("status", "show", await repo.json("status"));
  expectShape("config", "show", await repo.json("config", "show"));
  expectShape("config", "set", await repo.json("config", "set", "max_concurrent_agents", "2"));
  expectShape("repository", "show", { root: repo.root, is_set_up: true });
});

test("S12 a list comes in pages, and none is lost or told twice when sessions are started meanwhile", async () => {
  using repo = new Repo();
  const ids: string[] = [];
  for (let number = 1; number <= 5; number++) ids.unshift(await repo.clew("session", "start", `Number ${number}`));
  await inApi(repo, async ({ sessions }) => {
    const found: ListedSession[] = [];
    let after: string | undefined;
    do {
      const page = await sessions.list({ limit: 2, after });
      expectShape("sessions", "list", page);
      found.push(...page.sessions);
      after = page.next;
      if (found.length === 2) await sessions.start({ title: "Meanwhile" });
    } while (after !== undefined);
    expect(found.map(({ session_id }) => session_id)).toEqual(ids);
    expect((await sessions.list({ limit: 6 })).next).toBeUndefined();
    await expect(sessions.list({ after: "nonsense" })).rejects.toMatchObject({ code: "invalid_input" });
  });
});

test("S12 who follows a session gets what is added, until it ends or nobody wants more", async () => {
  using repo = new Repo();
  await inApi(repo, async ({ sessions }) => {
    const { session_id } = await sessions.start({ title: "Followed" });
    await sessions.log({ session: session_id, entry: { kind: "phase", title: "One" } });
    await sessions.log({ entry: { kind: "text", text: "first" } });
    await expect(sessions.follow({ session: "no-such" })).rejects.toMatchObject({ code: "unknown_session" });
    const left = new AbortController();
    for await (const added of await sessions.follow({ after: 1 }, { signal: left.signal })) {
      expectShape("sessions", "follow", added);
      expect(added).toEqual({ n: 2, phase: "phase-1", entry: { kind: "text", text: "first" } });
      left.abort();
    }
    const seen: unknown[] = [];
    const following = (async () => {
      for await (const added of await sessions.follow({ session: session_id, after: 2 })) seen.push(added);
    })();
    await sessions.log({ entry: { kind: "phase", title: "Two" } });
    await sessions.log({ entry: { kind: "decision", text: "second" } });
    await sessions.end({ status: "completed" });
    await following;
    expect(seen).toMatchObject([
      { n: 3, phase: { id: "phase-2", title: "Two", entries: [] } },
      { n: 4, phase: "phase-2", entry: { kind: "decision", text: "second" } },
    ]);
    for (const added of seen) expectShape("sessions", "follow", added);
    expectShape("sessions", "read", await sessions.read({ session: session_id, full: true }));
    expectShape("sessions", "names", await sessions.names({ limit: 5 }));
    expectShape("sessions", "find", await sessions.find({ session: "latest" }));
  });
});
