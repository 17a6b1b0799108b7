import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Bead } from "../../src/contract/bead.ts";
import { beadFile, beadsOf, placeBeads } from "../support/bead-file.ts";
import { Repo } from "../support/repo.ts";

async function create(repo: Repo, ...args: string[]): Promise<string> {
  return repo.clew("bead", "create", ...args);
}

async function readyIds(repo: Repo): Promise<string[]> {
  return (await repo.json<{ beads: Bead[] }>("bead", "ready")).beads.map(({ id }) => id);
}

describe("G2 looking at beads", () => {
  it("G2 list leaves closed ones out and filters", async () => {
    using repo = new Repo();
    const bug = await create(repo, "Bug", "-t", "bug", "-p", "0", "-l", "a", "-l", "b");
    const task = await create(repo, "Task", "-l", "a", "--assignee", "me");
    const done = await create(repo, "Done");
    await repo.clew("bead", "close", done);
    const list = async (...args: string[]): Promise<string[]> =>
      (await repo.json<{ beads: Bead[] }>("bead", "list", ...args)).beads.map(({ id }) => id);
    expect(await list()).toEqual([bug, task]);
    expect(await list("--all")).toEqual([bug, task, done]);
    expect(await list("--status", "closed")).toEqual([done]);
    expect(await list("-t", "bug")).toEqual([bug]);
    expect(await list("-l", "a", "-l", "b")).toEqual([bug]);
    expect(await list("-p", "2")).toEqual([task]);
    expect(await list("--assignee", "me")).toEqual([task]);
    expect(await list("--limit", "1")).toEqual([bug]);
    const table = await repo.clew("bead", "list");
    expect(table.split("\n")[0]).toMatch(/^BEAD +PRI +STATUS +TYPE +TITLE +LABELS$/);
    expect(table).not.toContain("\u001b");
  });

  it("G2 ready follows dependencies, deferral, parents and closing", async () => {
    using repo = new Repo();
    const base = await create(repo, "Base", "-p", "3");
    const top = await create(repo, "Top", "-p", "0", "--dep", base);
    const epic = await create(repo, "Epic", "-p", "1", "--dep", `waits-for:${base}`);
    const child = await create(repo, "Child", "-p", "1", "--parent", epic);
    await create(repo, "Later", "-p", "0", "--defer", "+1d");
    expect(await readyIds(repo)).toEqual([base]);
    await repo.clew("bead", "update", base, "--status", "in_progress");
    expect(await readyIds(repo)).toEqual([]);
    await repo.clew("bead", "close", base);
    expect(await readyIds(repo)).toEqual([top, epic, child]);
    await repo.clew("bead", "update", epic, "--status", "blocked");
    expect(await readyIds(repo)).toEqual([top]);
    await repo.clew("bead", "update", base, "--status", "open");
    expect(await readyIds(repo)).toEqual([base]);
    expect(await repo.clew("bead", "show", top)).toMatch(new RegExp(`waits for ${base}`));
  });

  it("G2 a short name is enough while it fits one", async () => {
    using repo = new Repo();
    placeBeads(repo, ["a3f", "a3f.1", "b22", "b23"].map((end) => `{"id":"p-${end}","title":"${end}"}\n`).join(""));
    expect((await repo.json<{ bead: Bead }>("bead", "show", "a3f")).bead.id).toBe("p-a3f");
    expect((await repo.json<{ bead: Bead }>("bead", "update", "b22", "-p", "0")).bead.id).toBe("p-b22");
    const { code, hint } = await repo.refused(["bead", "close", "b2"]);
    expect([code, hint]).toEqual(["ambiguous_bead", "one of p-b22, p-b23"]);
  });

  it("G2 show tells of what is missing, and nothing in a bead moves the cursor", async () => {
    using repo = new Repo();
    const evil = "x\u001b[2Jy\rz";
    placeBeads(
      repo,
      `${JSON.stringify({
        id: "p-1",
        title: evil,
        description: evil,
        status: evil,
        labels: [evil],
        comments: [
          { id: 7, author: evil, text: evil },
          { id: "c-8", text: "second" },
        ],
        dependencies: [{ issue_id: "p-1", depends_on_id: "gone-1", type: "blocks" }],
      })}\n`,
    );
    const shown = await repo.clew("bead", "show", "p-1");
    expect(shown).toContain("gone-1, which no bead is");
    expect(shown).toContain("second");
    const everything = shown + (await repo.clew("bead", "list")) + (await repo.clew("bead", "graph"));
    expect(everything).not.toMatch(/[\u001b\r]/);
  });

  it("G2 graph draws what waits for what", async () => {
    using repo = new Repo();
    const line = (id: string, ...targets: string[]): string =>
      `${JSON.stringify({
        id,
        title: `Title ${id}`,
        status: id === "p-d" ? "closed" : "open",
        dependencies: targets.map((target) => ({ issue_id: id, depends_on_id: target, type: "blocks" })),
      })}\n`;
    placeBeads(repo, line("p-a", "p-b", "p-c") + line("p-b", "p-d") + line("p-c", "p-b", "p-x") + line("p-d"));
    expect((await repo.clew("bead", "graph")).split("\n").slice(0, 6)).toEqual([
      "○ p-a  Title p-a",
      "├─ needs ○ p-b  ready  Title p-b",
      "│  └─ needs ✓ p-d  Title p-d",
      "└─ needs ○ p-c  Title p-c",
      "   ├─ needs ○ p-b  ↑ see above",
      "   └─ needs ? p-x  missing",
    ]);
    expect(await repo.clew("bead", "dep", "tree", "b")).toContain("└─ needs ✓ p-d");
  });
});

describe("G2 lists and pictures", () => {
  it("G2 list says why an open bead is not ready, and none is not nothing", async () => {
    using repo = new Repo();
    expect(await repo.clew("bead", "list", "-t", "nope")).toContain("No beads. Make one");
    const lines = [
      { id: "p-1", title: "A" },
      { id: "p-2", title: "B", dependencies: [{ issue_id: "p-2", depends_on_id: "p-1", type: "blocks" }] },
      { id: "p-3", title: "C", defer_until: "2999-01-01" },
      { id: "p-4", title: "D", pinned: true },
      { id: "p-5", title: "E", is_template: true },
    ];
    placeBeads(repo, lines.map((each) => `${JSON.stringify(each)}\n`).join(""));
    const table = (await repo.clew("bead", "list")).split("\n").slice(1);
    expect(table.map((line) => line.split(/ +/)[2])).toEqual(["open", "waits", "deferred", "pinned", "template"]);
    expect(await repo.clew("bead", "list", "-t", "nope")).toMatch(/^None of the 5 beads match/);
    await repo.clew("bead", "close", ...lines.map(({ id }) => id));
    expect(await repo.clew("bead", "list")).toBe("All is done: the 5 beads are closed");
  });

  it("G2 a circle over a parent is marked where it is drawn", async () => {
    using repo = new Repo();
    const line = (id: string, type: string, target: string): string =>
      `${JSON.stringify({ id, title: id, dependencies: [{ issue_id: id, depends_on_id: target, type }] })}\n`;
    placeBeads(repo, line("p-a", "blocks", "p-b") + line("p-b", "parent-child", "p-a"));
    expect(await repo.clew("bead", "dep", "tree", "p-a")).toContain("○ p-a  ↻ waits for itself  p-a");
  });
});

describe("G2 names that mean no other bead", () => {
  const lines = [
    '{"id":"p-a","title":"A"}',
    '{"id":"p-a.1","title":"","status":"tombstone"}',
    '{"id":"p-a.10","title":"Ten"}',
    '{"id":"p-a.6.1","title":"Deep"}',
    '{"id":"p-b","title":"B"}',
    "",
  ];

  it("G2 a deleted or missing id is never another one that begins so", async () => {
    using repo = new Repo();
    placeBeads(repo, lines.join("\n"));
    const wrong: [string[], string][] = [
      [["close", "p-a.1"], "p-a.1 was deleted"],
      [["update", "a.1", "-p", "0"], "p-a.1 was deleted"],
      [["dep", "add", "p-b", "p-a.1"], "p-a.1 was deleted"],
      [["show", "p-a.1"], "p-a.1 was deleted"],
      [["close", "p-b", "p-a.1"], "p-a.1 was deleted"],
      [["create", "kid", "--parent", "p-a.6"], "there is no bead p-a.6"],
      [["close", "p-"], "may be 2 beads"],
      [["close", "p"], "may be 2 beads"],
    ];
    for (const [args, message] of wrong) {
      expect((await repo.refused(["bead", ...args])).message).toContain(message);
    }
    expect(readFileSync(beadFile(repo), "utf8")).toBe(lines.join("\n"));
  });
});

describe("G2 changing beads", () => {
  it("G2 a circle of many beads is found at once, and not all of it is named", async () => {
    using repo = new Repo();
    const chain = Array.from({ length: 20_000 }, (_, at) => ({
      id: `p-${at}`,
      title: "T",
      dependencies: at === 0 ? [] : [{ issue_id: `p-${at}`, depends_on_id: `p-${at - 1}`, type: "blocks" }],
    }));
    placeBeads(repo, chain.map((each) => `${JSON.stringify(each)}\n`).join(""));
    const { message } = await repo.refused(["bead", "dep", "add", "p-0", "p-19999"]);
    expect(message).toContain("p-0 → p-19999 → p-19998 → p-19997 → p-19996 → … (19,991 more) → p-4 →");
  });

  it("G2 statuses keep their fields, labels and fields come and go", async () => {
    using repo = new Repo();
    const id = await create(repo, "One", "-l", "a");
    const update = async (...args: string[]): Promise<Bead> =>
      (await repo.json<{ bead: Bead }>("bead", "update", id, ...args)).bead;
    expect((await update("--status", "in_progress")).started_at).toBeDefined();
    const changed = await update(
      "--title",
      "Two",
      "--add-label",
      "b",
      "--remove-label",
      "a",
      "--notes",
      "N",
      "-t",
      "chore",
    );
    expect(changed).toMatchObject({
      title: "Two",
      labels: ["b"],
      notes: "N",
      issue_type: "chore",
      status: "in_progress",
    });
    expect(await update("--notes", "", "--remove-label", "b")).not.toHaveProperty("notes");
    const { bead: closed } = await repo.json<{ bead: Bead }>("bead", "close", id, "-r", "fixed");
    expect(closed).toMatchObject({ status: "closed", close_reason: "fixed" });
    expect(closed.closed_at).toBe(closed.updated_at);
    const reopened = await update("--status", "open");
    expect(reopened).not.toHaveProperty("closed_at");
    expect(reopened).not.toHaveProperty("close_reason");
  });

  it("G2 a dependency that would close a circle is refused and named, also over parents", async () => {
    using repo = new Repo();
    const a = await create(repo, "A");
    const b = await create(repo, "B", "--dep", a);
    const child = await create(repo, "C", "--parent", a);
    expect((await repo.refused(["bead", "dep", "add", a, b])).message).toContain(`${a} → ${b} → ${a}`);
    expect((await repo.refused(["bead", "dep", "add", a, child])).message).toContain("which waits for it");
    await repo.clew("bead", "dep", "add", a, b, "--type", "related");
    await repo.clew("bead", "dep", "remove", b, a);
    expect((await repo.refused(["bead", "dep", "add", a, b])).message).toBe(`${a} already depends on ${b} (related)`);
    const short = b.slice(b.lastIndexOf("-") + 1);
    expect(await repo.clew("bead", "dep", "remove", a, short)).toBe(`${a} no longer depends on ${b}`);
    await repo.clew("bead", "dep", "add", a, b);
    expect(beadsOf(repo)[0]!.dependencies).toMatchObject([{ depends_on_id: b, type: "blocks" }]);
  });

  it("G2 close takes several, and none when one is misspelt", async () => {
    using repo = new Repo();
    const [a, b] = [await create(repo, "A"), await create(repo, "B")];
    await repo.refused(["bead", "close", a, "nope"]);
    expect(beadsOf(repo).map(({ status }) => status)).toEqual(["open", "open"]);
    expect(await repo.clew("bead", "close", a, b, a)).toBe(`Closed ${a}\nClosed ${b}`);
    expect(await repo.clew("bead", "close", a, "-r", "why")).toBe(`Closed ${a}`);
    expect(await repo.clew("bead", "close", a, "-r", "why")).toBe(`${a} is already closed`);
    expect(beadsOf(repo)[0]!.close_reason).toBe("why");
    expect(beadsOf(repo).map(({ status }) => status)).toEqual(["closed", "closed"]);
  });

  it("G2 a worktree has the beads of the main checkout", async () => {
    using repo = new Repo();
    const id = await create(repo, "One");
    repo.git("worktree", "add", "-q", "--detach", ".worktrees/x");
    const { code } = await repo.run(["bead", "close", id], { cwd: `${repo.root}/.worktrees/x` });
    expect(code).toBe(0);
    expect(beadsOf(repo)[0]!.status).toBe("closed");
  });
});
