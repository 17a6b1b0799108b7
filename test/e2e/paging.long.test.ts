import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";

/** All pages of a list, each of one or two items, put together. */
async function walk(repo: Repo, field: string, ...args: string[]): Promise<unknown[]> {
  const items: unknown[] = [];
  let after: string[] = [];
  for (let limit = 1; ; limit = 3 - limit) {
    const page = await repo.json<{ next?: string } & Record<string, unknown[]>>(
      ...args,
      "--limit",
      `${limit}`,
      ...after,
    );
    items.push(...page[field]!);
    if (page.next === undefined) return items;
    expect(page[field]).toHaveLength(limit);
    after = ["--after", page.next];
  }
}

async function expectPages(repo: Repo, field: string, count: number, ...args: string[]): Promise<void> {
  const whole = await repo.json<Record<string, unknown[]>>(...args);
  expect(whole[field]).toHaveLength(count);
  expect(whole).not.toHaveProperty("next");
  expect(await walk(repo, field, ...args)).toEqual(whole[field]);
}

test("S12 S4 pages of sessions, hits and questions hold every item once, in order; what is no place is refused", async () => {
  using repo = new Repo();
  for (const title of ["One", "Two", "Three"]) {
    const id = await repo.clew("session", "start", title);
    await repo.log(
      id,
      { kind: "text", text: `a needle in ${title}` },
      { kind: "text", text: `hay\n${"stack ".repeat(2_000)}` },
      { kind: "text", text: `another needle` },
      { kind: "decision_needed", text: `Which, ${title}?` },
    );
  }
  await expectPages(repo, "sessions", 3, "session", "list");
  await expectPages(repo, "hits", 6, "search", "needle");
  await expectPages(repo, "items", 3, "inbox");
  for (const list of [
    ["session", "list"],
    ["search", "needle"],
    ["inbox"],
    ["bead", "list"],
    ["run", "list"],
    ["worktree", "list"],
  ]) {
    expect(await repo.refused([...list, "--after", "nowhere"])).toMatchObject({
      code: "invalid_input",
      message: 'there is no place "nowhere" in this list to go on after',
    });
  }
});

test("S12 the next page of hits is the same when its session has grown, and refused when it is gone", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Growing");
  await repo.log(id, { kind: "text", text: "needle 1" }, { kind: "text", text: "needle 2" });
  const { next } = await repo.json<{ next: string }>("search", "needle", "--limit", "1");
  const rest = () => repo.json<{ hits: { excerpt: string }[] }>("search", "needle", "--after", next);
  await repo.log(id, { kind: "text", text: "needle 3" }, { kind: "tokens", tokens: 12 });
  await repo.clew("session", "rename", id, "Growing, under a much longer name than before");
  expect((await rest()).hits.map(({ excerpt }) => excerpt)).toEqual(["needle 1"]);
  await repo.clew("session", "rename", id, "G");
  expect((await rest()).hits.map(({ excerpt }) => excerpt)).toEqual(["needle 1"]);
  writeFileSync(repo.path(id), repo.read(id).replace("needle 1", "a\n> b\n> c\n> needle 1"));
  await repo.clew("index", "check");
  const changed = { code: "invalid_input", message: `session ${id} has changed since the page before` };
  expect(await repo.refused(["search", "needle", "--after", next])).toMatchObject(changed);
  await repo.clew("session", "delete", id, "--yes");
  expect(await repo.refused(["search", "needle", "--after", next])).toMatchObject({
    code: "invalid_input",
    hint: "search from the beginning",
  });
});

test("S4 the next page of the inbox follows what was answered meanwhile", async () => {
  using repo = new Repo();
  await repo.clew("session", "start", "Asking");
  for (const text of ["One?", "Two?", "Three?"]) await repo.clew("session", "log", "decision_needed", text);
  interface Page {
    items: { id: string; text: string }[];
    next?: string;
  }
  const first = await repo.json<Page>("inbox", "--limit", "1");
  await repo.clew("inbox", "answer", first.items[0]!.id, "Yes.");
  const second = await repo.json<Page>("inbox", "--after", first.next!);
  expect([...first.items, ...second.items].map(({ text }) => text)).toEqual(["Three?", "Two?", "One?"]);
});

test("S4 nothing in the inbox is passed over when a whole page was answered, and an empty page says no more", async () => {
  using repo = new Repo();
  for (const title of ["One", "Two", "Three", "Four"]) {
    const id = await repo.clew("session", "start", title);
    await repo.log(id, { kind: "decision_needed", text: `${title}?` });
  }
  interface Page {
    items: { id: string; text: string }[];
    next: string;
  }
  const { items, next } = await repo.json<Page>("inbox", "--limit", "2");
  const [other] = (await repo.json<Page>("inbox", "--after", next)).items;
  for (const { id } of items) await repo.clew("inbox", "answer", id, "Yes.");
  const rest = await repo.json<Page>("inbox", "--after", next);
  expect(rest.items.map(({ text }) => text)).toEqual(["Two?", "One?"]);
  const { next: last } = await repo.json<Page>("inbox", "--limit", "1");
  await repo.clew("inbox", "answer", rest.items[1]!.id, "Yes.");
  expect(await repo.clew("inbox", "--after", last)).toBe("No more.");
  expect(await repo.clew("inbox")).toContain(other!.text);
});

test("G2 G11 G14 pages of beads, worktrees and runs hold every item once; a person is told how to go on", async () => {
  using repo = new RunRepo('  - {name: one, type: script, command: "echo work > work.txt"}\n');
  for (const title of ["Two", "Three"]) await repo.clew("run", await repo.clew("bead", "create", title));
  await expectPages(repo, "runs", 2, "run", "list");
  await expectPages(repo, "beads", 3, "bead", "list", "--all");
  await expectPages(repo, "worktrees", 2, "worktree", "list");
  expect(await repo.clew("bead", "list", "--all", "--limit", "2")).toMatch(
    /\nThere are more: the same command with --after [\w-]+$/,
  );
});
