import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Bead } from "../../src/contract/bead.ts";
import { beadsOf, placeBeads } from "../support/bead-file.ts";
import { write } from "../support/grimoires.ts";
import { Repo } from "../support/repo.ts";

const line = '{"id":"other-1","title":"There"}\n';

/** A repository whose beads a committed redirect looks for in another one. */
function redirected(other: Repo): Repo {
  placeBeads(other, line);
  const repo = new Repo();
  placeBeads(repo, `${join(other.root, ".beads")}\n`, "redirect");
  return repo;
}

/** The user's own settings. */
function allow(repo: Repo): void {
  write(repo, "home/clew/config.yaml", "allow_outside_beads: true\n");
  repo.env["XDG_CONFIG_HOME"] = join(repo.root, "home");
}

describe("G2 D7 beads that stand out of the repository", () => {
  it("G2 D7 are read, and not written unless the user's own settings let them", async () => {
    using other = new Repo();
    using repo = redirected(other);
    const file = join(other.root, ".beads/issues.jsonl");
    expect((await repo.json<{ beads: Bead[] }>("bead", "list")).beads).toMatchObject([{ id: "other-1" }]);
    for (const args of [
      ["bead", "create", "x"],
      ["bead", "close", "other-1"],
      ["bead", "delete", "other-1"],
    ]) {
      const { code, message, hint } = await repo.refused(args);
      expect([code, message]).toEqual([
        "leads_outside",
        `${file} is where .beads/redirect leads, and Clew writes only inside the repository`,
      ]);
      expect(hint).toContain("allow_outside_beads: true in your own settings");
    }
    expect(readFileSync(file, "utf8")).toBe(line);
    allow(repo);
    expect(await repo.clew("bead", "create", "New")).toMatch(/^other-/);
    await repo.clew("bead", "close", "other-1");
    expect(beadsOf(other)).toMatchObject([{ id: "other-1", status: "closed" }, { title: "New" }]);
  });

  it("G2 D7 a repository cannot allow it to itself", async () => {
    using other = new Repo();
    using repo = redirected(other);
    write(repo, ".clew/config.yaml", "allow_outside_beads: true\n");
    expect((await repo.refused(["bead", "close", "other-1"])).message).toContain("loosens protection");
  });

  it("G2 D7 the folder that BEADS_DIR names is the one in messages, prefixes and warnings", async () => {
    using repo = new Repo();
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "clew-beads-")));
    try {
      const options = { env: { BEADS_DIR: join(folder, "deep/.beads") } };
      mkdirSync(join(folder, "deep/.beads"), { recursive: true });
      writeFileSync(join(folder, "deep/.beads/issues.jsonl"), '{"id":\n');
      writeFileSync(join(folder, "deep/.beads/config.yaml"), "issue-prefix: theirs\n");
      expect((await repo.run(["bead", "list"], options)).stdout).toContain(`${folder}/deep/.beads/issues.jsonl:1`);
      expect((await repo.refused(["bead", "show", "x-1"], options)).message).toBe(
        `there are no beads in ${folder}/deep/.beads/issues.jsonl`,
      );
      expect((await repo.refused(["bead", "create", "x"], options)).message).toContain("is where BEADS_DIR leads");
      allow(repo);
      expect((await repo.run(["bead", "create", "x"], options)).stdout).toMatch(/^theirs-/);
      expect(existsSync(join(folder, "deep/.beads/.clew-locks/beads.lock"))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("G2 S7 two repositories that share one folder lose nothing of each other", async () => {
    using other = new Repo();
    using repo = redirected(other);
    allow(repo);
    const made = await Promise.all(
      Array.from({ length: 12 }, (_, at) => (at % 2 === 0 ? repo : other).clew("bead", "create", `Bead ${at}`)),
    );
    expect(
      beadsOf(other)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(["other-1", ...made].sort());
    expect(existsSync(join(other.home, "locks/beads.lock"))).toBe(true);
  });

  it("G2 D7 git's own folder is not written to", async () => {
    using repo = new Repo();
    placeBeads(repo, ".git/hooks\n", "redirect");
    expect((await repo.refused(["bead", "create", "x"])).code).toBe("leads_outside");
  });

  it("G2 a redirect inside the repository is written to", async () => {
    using repo = new Repo();
    mkdirSync(join(repo.root, "part/.beads"), { recursive: true });
    placeBeads(repo, "part/.beads\n", "redirect");
    const id = await repo.clew("bead", "create", "Here");
    expect(id).toMatch(/^part-/);
    expect(readFileSync(join(repo.root, "part/.beads/issues.jsonl"), "utf8")).toContain(id);
  });
});
