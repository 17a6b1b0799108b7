import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { write, writeBead } from "../support/grimoires.ts";
import { RunRepo } from "../support/run-repo.ts";

const fails = `
- name: talk
  type: script
  command: head -c 100000 /dev/zero | tr '\\0' y
- name: fail
  type: script
  command: exit 1
`;
const oneStep = "- {name: x, type: script, command: echo x >> ../../notes}";

interface Listed {
  runs: { id: string; status: string }[];
}

describe("D6 what a bead may ask for", () => {
  test("D6 a label names a grimoire; it is never a path", async () => {
    using repo = new RunRepo(oneStep);
    const outside = mkdtempSync(join(tmpdir(), "clew-outside-"));
    write(
      repo,
      "sub/e.yaml",
      "name: e\ndescription: d\nsteps: [{name: x, type: script, command: echo x >> ../../notes}]\n",
    );
    for (const path of [join(repo.root, "sub/e.yaml"), "sub/e.yaml", "../sub/e.yaml", `${outside}/e.yaml`]) {
      writeBead(repo, { id: "proj-1", title: "t", labels: [`grimoire:${path}`] });
      expect((await repo.refused(["run", "proj-1"])).code).toBe("unknown_grimoire");
    }
    rmSync(outside, { recursive: true });
    expect(repo.notes).toBe("");
    await repo.clew("run", "proj-1", "--grimoire", "sub/e.yaml");
    expect(repo.notes).toBe("x\n");
  });

  test("D7 a bead whose id is a secret of the environment is refused, and leaves no trace", async () => {
    using repo = new RunRepo(oneStep);
    const id = `re2x99${"zz7".repeat(3)}`;
    writeBead(repo, { id, title: "t" });
    const { code } = await repo.run(["run", id], { env: { MY_TOKEN: id } });
    expect([code, repo.notes]).toEqual([2, ""]);
  });

  test("S12 what stands in beads does not reach the terminal as commands to it", async () => {
    using repo = new RunRepo(oneStep);
    writeBead(repo, { id: "proj-1", title: "t", labels: ["grimoire:\u001b]0;owned\u0007x"] });
    const { stderr } = await repo.run(["run", "proj-1"]);
    expect(stderr).toContain("there is no grimoire ␛]0;owned␇x");
  });

  test("G2 a very long id is an id like any other", async () => {
    using repo = new RunRepo(oneStep);
    writeBead(repo, { id: "y".repeat(300), title: "t" });
    await repo.clew("run", "y".repeat(300));
    expect(repo.notes).toBe("x\n");
  });
});

describe("G13 G17 whatever was thrown away", () => {
  test("G17 a run whose output was lost can still be cancelled", async () => {
    using repo = new RunRepo(fails);
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    rmSync(join(repo.home, "logs/workflows", await repo.runId()), { recursive: true });
    expect((await repo.run(["run", "retry", "proj-1"])).code).toBe(2);
    expect((await repo.run(["run", "cancel", "proj-1"])).code).toBe(0);
    expect((await repo.json<Listed>("run", "list")).runs).toMatchObject([{ status: "cancelled" }]);
  });

  test("G13 a claim that was removed does not allow a second run", async () => {
    using repo = new RunRepo(fails);
    await repo.run(["run", "proj-1"]);
    rmSync(join(repo.home, "claims"), { recursive: true });
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    rmSync(join(repo.home, "claims"), { recursive: true });
    rmSync(join(repo.home, "state"), { recursive: true });
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    expect((await repo.json<Listed>("run", "list")).runs).toHaveLength(1);
  });

  test("G14 the session of a run that waits cannot be deleted or ended: it holds what waits", async () => {
    using repo = new RunRepo(fails);
    await repo.run(["run", "proj-1"]);
    const id = await repo.runId();
    for (const args of [
      ["delete", id, "--yes"],
      ["end", id],
    ]) {
      expect((await repo.refused(["session", ...args])).code).toBe("not_possible_now");
    }
    expect((await repo.json<{ items: unknown[] }>("inbox")).items).toHaveLength(1);
    await repo.clew("run", "cancel", id);
    await repo.clew("session", "delete", id, "--yes");
  });
});

describe("bad words and places", () => {
  test("G17 an empty name is no run, also when there is only one", async () => {
    using repo = new RunRepo(fails);
    await repo.run(["run", "proj-1"]);
    for (const command of ["cancel", "show", "retry"]) {
      expect((await repo.refused(["run", command, ""])).message).toBe("no run is named");
    }
  });

  test("G8 a TMPDIR inside the repository, or none at all, is refused before anything is done", async () => {
    using repo = new RunRepo(oneStep);
    mkdirSync(join(repo.root, "tmp"));
    for (const TMPDIR of [".", "tmp", join(repo.root, "tmp"), "/no/such/folder"]) {
      const { code, stderr } = await repo.run(["run", "proj-1"], { env: { TMPDIR } });
      expect([code, stderr]).toEqual([2, expect.stringContaining("TMPDIR")]);
    }
    expect(repo.notes).toBe("");
    expect(readdirSync(repo.root).filter((name) => name.startsWith("clew-step-"))).toEqual([]);
  });

  test("G16 --var takes what JSON has no number for as text, and a negative zero as zero", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: 'echo {{.a}} {{.b}} >> ../../notes'}");
    await repo.clew("run", "proj-1", "--var", "a=1e999", "--var", "b=-0");
    expect(repo.notes).toBe("1e999 0\n");
  });

  test("G13 a step that runs its own bead is told so, instead of waiting for itself", async () => {
    using repo = new RunRepo(`- {name: x, type: script, command: '"$NODE" "$CLEW" run proj-1'}`);
    const env = { NODE: process.execPath, CLEW: join(import.meta.dirname, "../../dist/clew.cjs") };
    const { code, stdout } = await repo.run(["run", "proj-1"], { env });
    expect([code, stdout]).toEqual([3, expect.stringContaining("this is a step of run")]);
  });

  test("W2 a script that is no file is refused by the engine", async () => {
    using repo = new RunRepo('- {name: x, type: agent, spell: "Do\\nit"}');
    const { code, stdout } = await repo.run(["run", "proj-1"], { env: { CLEW_SCRIPT: "/dev/zero" } });
    expect([code, stdout]).toEqual([3, expect.stringContaining("not a file")]);
  });
});
