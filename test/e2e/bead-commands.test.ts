import { describe, expect, it } from "vitest";
import type { Bead } from "../../src/contract/bead.ts";
import { beadsOf, placeBeads } from "../support/bead-file.ts";
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

describe("G2 changing beads", () => {
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
    await repo.clew("bead", "dep", "add", a, b);
    expect(beadsOf(repo)[0]!.dependencies).toMatchObject([{ depends_on_id: b, type: "blocks" }]);
  });

  it("G2 close takes several, and none when one is misspelt", async () => {
    using repo = new Repo();
    const [a, b] = [await create(repo, "A"), await create(repo, "B")];
    await repo.refused(["bead", "close", a, "nope"]);
    expect(beadsOf(repo).map(({ status }) => status)).toEqual(["open", "open"]);
    await repo.clew("bead", "close", a, b);
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
