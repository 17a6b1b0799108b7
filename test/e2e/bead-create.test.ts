import { describe, expect, it } from "vitest";
import type { Bead } from "../../src/contract/bead.ts";
import { beadsOf, placeBeads } from "../support/bead-file.ts";
import { Repo } from "../support/repo.ts";

const idForm = /^clew-test-[a-z0-9]+-[a-z0-9]{3,8}$/;

async function create(repo: Repo, ...args: string[]): Promise<string> {
  return repo.clew("bead", "create", ...args);
}

describe("G2 making beads", () => {
  it("G2 create prints the id alone, and the bead has all that was given", async () => {
    using repo = new Repo();
    const first = await create(repo, "Set up");
    expect(first).toMatch(idForm);
    const texts = ["-d", "- why\n- how", "--design", "D", "--acceptance", "A", "--notes", "N", "--assignee", "me"];
    const times = ["--due", "2026-12-01", "--defer", "2026-11-20T10:00:00+01:00", "--estimate", "90"];
    const kind = ["-t", "bug", "-p", "1", "-l", "auth", "-l", "spec:x", "--dep", first, "--external-ref", "gh-9"];
    const { bead } = await repo.json<{ bead: Bead }>("bead", "create", "Fix the login", ...texts, ...times, ...kind);
    expect(bead).toMatchObject({
      title: "Fix the login",
      issue_type: "bug",
      priority: 1,
      status: "open",
      labels: ["auth", "spec:x"],
      description: "- why\n- how",
      design: "D",
      acceptance_criteria: "A",
      notes: "N",
      assignee: "me",
      estimated_minutes: 90,
      external_ref: "gh-9",
      due_at: new Date(2026, 11, 1).toISOString(),
      defer_until: "2026-11-20T09:00:00.000Z",
    });
    expect(bead.dependencies).toMatchObject([{ issue_id: bead.id, depends_on_id: first, type: "blocks" }]);
    expect(bead.created_at).toBe(bead.updated_at);
    expect(beadsOf(repo)[1]).toEqual(bead);
    expect((await repo.json<{ bead: Bead }>("bead", "show", bead.id)).bead).toEqual(bead);
  });

  it("G2 the command of the spell create-beads works as it stands there", async () => {
    using repo = new Repo();
    const spec = await create(repo, "The specification");
    const other = await create(repo, "Before");
    const kind = ["--json", "-t", "task", "-p", "2", "-l", `spec:${spec}`, "--dep", `discovered-from:${spec}`];
    const text = "text\n## Acceptance criteria\n- one";
    const args = ["bead", "create", "$(touch x) `y`", ...kind, "-d", text, "--dep", other];
    const { bead } = JSON.parse(await repo.clew(...args)) as { bead: Bead };
    expect(bead.dependencies!.map(({ type, depends_on_id }) => [type, depends_on_id])).toEqual([
      ["discovered-from", spec],
      ["blocks", other],
    ]);
    expect((await repo.json<{ beads: Bead[] }>("bead", "list")).beads).toHaveLength(3);
  });

  it("G2 children are numbered below their parent, at any depth", async () => {
    using repo = new Repo();
    const parent = await create(repo, "Epic", "-t", "epic");
    expect(await create(repo, "One", "--parent", parent)).toBe(`${parent}.1`);
    expect(await create(repo, "Two", "--parent", parent)).toBe(`${parent}.2`);
    expect(await create(repo, "Deep", "--parent", `${parent}.2`)).toBe(`${parent}.2.1`);
    expect(beadsOf(repo)[1]!.dependencies).toMatchObject([{ depends_on_id: parent, type: "parent-child" }]);
  });

  it("G2 the prefix is the one that beads have, or that bd was told", async () => {
    using repo = new Repo();
    placeBeads(repo, '{"id":"my-app-1","title":"A"}\n{"id":"my-app-2","title":"B"}\n{"id":"x-1","title":"C"}\n');
    expect(await create(repo, "New")).toMatch(/^my-app-[a-z0-9]{3}$/);
    placeBeads(repo, 'issue-prefix: "shop" # ours\n', "config.yaml");
    expect(await create(repo, "New")).toMatch(/^shop-[a-z0-9]{3}$/);
    placeBeads(repo, "issue-prefix: no good/one\n", "config.yaml");
    const { stdout, stderr } = await repo.run(["bead", "create", "New"]);
    expect(stdout).toMatch(/^my-app-/);
    expect(stderr).toContain("warning: .beads/config.yaml: issue-prefix no good/one can begin no id");
  });

  it("G2 a day begins at midnight where the person is", async () => {
    using repo = new Repo();
    const { stdout } = await repo.run(["bead", "create", "x", "--due", "2026-12-01", "--json"], {
      env: { TZ: "America/New_York" },
    });
    expect((JSON.parse(stdout) as { bead: Bead }).bead.due_at).toBe("2026-12-01T05:00:00.000Z");
    expect((await repo.refused(["bead", "create", "x", "--due", "+2x"])).hint).toContain("+30m, +6h, +2d, +3w");
  });

  it("G2 a description from stdin, and secrets in none of the fields", async () => {
    using repo = new Repo();
    const secret = ["gh", "p_", "a1B2".repeat(9)].join("");
    const { stdout } = await repo.run(["bead", "create", `Use ${secret}`, "-d", "-", "-l", "x", "--json"], {
      input: `The key is ${secret}.`,
    });
    expect(stdout).not.toContain(secret);
    const { bead } = JSON.parse(stdout) as { bead: Bead };
    await repo.clew("bead", "update", bead.id, "--notes", `also ${secret}`);
    await repo.clew("bead", "close", bead.id, "-r", `because of ${secret}`);
    expect(JSON.stringify(beadsOf(repo))).not.toContain(secret);
    expect(beadsOf(repo)[0]!.close_reason).toContain("because of ");
  });

  it("G2 refuses what is no bead, and writes nothing", async () => {
    using repo = new Repo();
    const id = await create(repo, "One");
    const before = JSON.stringify(beadsOf(repo));
    const wrong: [string[], string][] = [
      [["create", ""], "the title is empty"],
      [["create", "two\nlines"], "the title is not one line of text"],
      [["create", "x\u001b[31m"], "the title is not one line of text"],
      [["create", "x".repeat(501)], "the title has 501 letters"],
      [["create", "x", "-t", "Bug"], "Bug is no type of beads"],
      [["create", "x", "-t", ""], "the type is empty"],
      [["show", ""], "the name of the bead is empty"],
      [["list", "-t", ""], "is empty"],
      [["update", id, "--status", ""], "the status is empty"],
      [["create", "x", "-p", "5"], "--priority: must be a number"],
      [["create", "x", "-l", "a,b"], "is no label"],
      [["create", "x", "--due", "2026-02-30"], "2026-02-30 is no time"],
      [["create", "x", "--estimate", "-1"], "--estimate"],
      [["create", "x", "--dep", "nope"], "there is no bead nope"],
      [["create", "x", "--dep", `Bad:${id}`], "Bad is no type of dependencies"],
      [["create", "x", "--dep", id, "--parent", id], "is named twice"],
      [["update", id], "nothing to change"],
      [["update", id, "--status", "in-progress"], "in-progress is no status"],
      [["update", id, "--title", " "], "the title is empty"],
      [["update", id, "-r", "why"], "a reason is for closing"],
      [["dep", "add", id, id], "cannot depend on itself"],
      [["dep", "remove", id, id], "does not depend on"],
      [["show", "nope"], "there is no bead nope"],
    ];
    for (const [args, message] of wrong) {
      expect((await repo.refused(["bead", ...args])).message).toContain(message);
    }
    expect((await repo.refused(["bead", "update", id, "--status", "in-progress"])).hint).toBe(
      "did you mean in_progress?",
    );
    expect((await repo.refused(["bead", "show", `${id}x`])).hint).toBe(`did you mean ${id}?`);
    expect(JSON.stringify(beadsOf(repo))).toBe(before);
  });
});
