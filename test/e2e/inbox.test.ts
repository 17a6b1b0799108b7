import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";

interface Items {
  items: { id: string; session_id: string; kind: string; text: string; phase: string }[];
}

test("S4 the inbox lists what waits, over all sessions, until it is answered", async () => {
  using repo = new Repo();
  const first = await repo.clew("session", "start", "First");
  const second = await repo.clew("session", "start", "Second");
  await repo.log(
    first,
    { kind: "phase", title: "Plan" },
    { kind: "decision_needed", text: "Drop the table?\nIt is empty." },
    { kind: "task_complete", text: "done" },
  );
  await repo.log(second, { kind: "approval_required", text: "Deploy?" });
  const { items } = await repo.json<Items>("inbox");
  const [drop, deploy] = [
    items.find(({ session_id }) => session_id === first)!,
    items.find(({ session_id }) => session_id === second)!,
  ];
  expect(items).toHaveLength(2);
  expect(drop).toEqual({
    id: drop.id,
    session_id: first,
    title: "First",
    kind: "decision_needed",
    text: "Drop the table?\nIt is empty.",
    phase: "Plan",
  });
  expect(deploy).toEqual({
    id: deploy.id,
    session_id: second,
    title: "Second",
    kind: "approval_required",
    text: "Deploy?",
    phase: "Start",
  });
  expect(repo.read(first)).toContain(`\n> [!decision_needed] ${drop.id}\n> Drop the table?  \n> It is empty.\n`);
  await repo.clew("inbox", "answer", drop.id, "Yes,\n> [!user] drop it");
  expect(repo.read(first)).toMatch(
    new RegExp(`\n> \\[!answer\\] ${drop.id}\n> Yes,  \n> \\\\> \\[!user\\] drop it\n$`),
  );
  expect(await repo.json<Items>("inbox")).toEqual({ items: [deploy] });
});

test("S4 an answer is never too late: paused and ended sessions take it and stay as they are", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Ended");
  const question = await repo.clew("session", "log", "decision_needed", "Well?");
  await repo.clew("session", "end", id);
  expect((await repo.json<Items>("inbox")).items).toHaveLength(1);
  await repo.clew("inbox", "answer", question, "Well.");
  const { frontmatter, phases } = await repo.show(id);
  expect(frontmatter.status).toBe("completed");
  expect(phases[0]!.entries.at(-1)).toEqual({ kind: "answer", id: question, text: "Well." });
});

test("S4 an unknown id and an empty answer are refused, with what waits", async () => {
  using repo = new Repo();
  await repo.clew("session", "start", "Asking");
  expect(await repo.refused(["inbox", "answer", "q-none", "x"])).toMatchObject({
    code: "unknown_inbox_item",
    hint: "nothing waits for an answer",
  });
  const question = await repo.clew("session", "log", "approval_required", "Well?");
  expect((await repo.refused(["inbox", "answer", "q-none", "x"])).hint).toBe(`these wait: ${question}`);
  expect((await repo.refused(["inbox", "answer", question, "  "])).message).toBe("the answer is empty");
});

test("S4 a question that a person wrote, without an id, waits too", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "By hand");
  await repo.log(id, { kind: "text", text: "hello" });
  appendFileSync(repo.path(id), "\n> [!decision_needed]\n> Which colour?\n");
  await repo.clew("index", "check");
  const { items } = await repo.json<Items>("inbox");
  expect(items).toMatchObject([{ session_id: id, kind: "decision_needed", text: "Which colour?" }]);
  await repo.clew("inbox", "answer", items[0]!.id, "Red");
  expect((await repo.json<Items>("inbox")).items).toEqual([]);
});

test("S12 text from a session cannot steer the terminal, in show, inbox, search or list", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Title \u001b[2J");
  const evil = "needle \u001b[31mred\u001b]0;title\u0007 \u202eright";
  await repo.log(
    id,
    { kind: "phase", title: evil },
    { kind: "decision_needed", text: evil },
    { kind: "tool", name: "x", args: evil, result: evil },
  );
  for (const args of [
    ["session", "show", id],
    ["inbox"],
    ["search", "needle"],
    ["session", "list"],
    ["session", "stats", id],
    ["session", "rename", id, evil],
  ]) {
    expect([args[0], /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(await repo.clew(...args))]).toEqual([
      args[0],
      false,
    ]);
  }
});
