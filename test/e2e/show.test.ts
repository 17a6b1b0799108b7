import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { outcomeOf, Repo } from "../support/repo.ts";

const text = (said: string) => ({ kind: "text", text: said });

test("S12 show prints metadata, tasks, callouts and what is embedded", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Shown", "--channel", "dev", "--agent", "lead@1", "--model", "opus");
  await repo.log(
    id,
    { kind: "phase", title: "Work", agent: "coder@2", channel: "ops" },
    { kind: "tool", name: "bash", args: "npm test", result: "2 failing", failed: true },
    { kind: "error", text: "It broke", resolution: "Mended" },
    { kind: "user", text: "Faster", action: "Cached it" },
    { kind: "tasks", tasks: [{ id: "1", content: "Ship it", status: "pending" }] },
    { kind: "subagent", agent: "tester@3", mode: "embed", summary: "all green", content: "ran everything" },
  );
  const shown = await repo.clew("session", "show", id);
  const expected = [
    "Shown",
    id,
    "active",
    "dev",
    "lead@1, coder@2",
    "opus",
    repo.path(id),
    "Ship it",
    "Work @coder@2 #ops",
  ];
  expected.push(
    "✗ bash npm test",
    "2 failing",
    "error",
    "It broke",
    "Resolution: Mended",
    "“Faster”",
    "Action: Cached it",
  );
  expected.push("subagent @tester@3", "all green", "┊   ran everything");
  expect(expected.filter((each) => !shown.includes(each))).toEqual([]);
  expect(shown).not.toContain("[!");
});

test("S12 show -f prints what is logged, each entry once, and ends with the session", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Followed");
  await repo.log(id, { kind: "phase", title: "One" }, text("entry 1"));
  const child = repo.start(["session", "show", id, "-f"]);
  const ended = outcomeOf(child);
  await new Promise((done) => child.stdout!.once("data", done));
  await repo.log(id, text("entry 2"), { kind: "phase", title: "Two" }, text("entry 3"));
  await repo.clew("session", "end", id, "--summary", "entry 4");
  const deadline = setTimeout(() => child.kill("SIGKILL"), 30_000);
  const { code, stdout } = await ended;
  clearTimeout(deadline);
  expect(code).toBe(0);
  expect(stdout.match(/entry \d/g)).toEqual(["entry 1", "entry 2", "entry 3", "entry 4"]);
  expect(stdout.match(/^(?:One|Two)/gm)).toEqual(["One", "Two"]);
});

test("S12 show -f ends too when a person ended the session in its file", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Followed");
  const child = repo.start(["session", "show", id, "-f"]);
  const ended = outcomeOf(child);
  await new Promise((done) => child.stdout!.once("data", done));
  writeFileSync(repo.path(id), repo.read(id).replace("status: active", "status: completed"));
  const deadline = setTimeout(() => child.kill("SIGKILL"), 30_000);
  expect((await ended).code).toBe(0);
  clearTimeout(deadline);
});
