import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { showRun } from "../support/runs.ts";
import { RunRepo } from "../support/run-repo.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

/** A repository in which `clew` is on the PATH, as agents and gates call it. */
class BuiltinRepo extends RunRepo {
  constructor(...turns: object[]) {
    super("- {name: unused, type: script, command: 'true'}\n");
    const bin = join(this.root, ".git/bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "clew"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
    chmodSync(join(bin, "clew"), 0o755);
    Object.assign(this.env, { PATH: `${bin}:${process.env["PATH"]}` }, this.plays(...turns));
  }
}

const result = (outputs: object): object => ({ success: true, summary: "done", outputs });

describe("H4 gates of the built-in grimoires", () => {
  test("H4 spec-to-beads counts the beads that were created", async () => {
    const beads = [
      { title: "One", description: 'a "title": in a text' },
      { title: "Two", description: "" },
    ];
    const create = 'clew bead create "$title" -l spec:proj-1 -d "text"';
    using repo = new BuiltinRepo(
      { when: "you turn a specification", result: result({ beads }) },
      { when: "checks a plan", result: result({ beads, changes: [] }) },
      { when: "enter planned beads", run: `title=One; ${create}`, result: result({ created: [] }) },
    );
    expect((await repo.run(["run", "proj-1", "--grimoire", "spec-to-beads"])).code).toBe(3);
    const { blocked_reason, message } = await showRun(repo);
    expect([blocked_reason, message]).toEqual([
      "evidence",
      expect.stringContaining("1 of 2 planned beads are there, with the label spec:proj-1"),
    ]);
    await repo.clew("bead", "create", "Two", "-l", "spec:proj-1");
    const { PATH } = repo.env;
    const again = { ...repo.plays({ result: result({ created: [] }) }), PATH: PATH! };
    expect((await repo.run(["run", "retry", "proj-1"], { env: again })).code).toBe(0);
  });

  test("H4 prepare-pr: who describes changes nothing that was tested", async () => {
    const describing = {
      when: "the text of a pull request",
      result: result({ title: "T", body: "B", commit_message: "M" }),
    };
    using repo = new BuiltinRepo(
      { when: "You are a reviewer", result: result({ findings: [] }) },
      { ...describing, write: { path: "late.txt", content: "late\n" } },
    );
    repo.git("switch", "-q", "-c", "work");
    writeFileSync(join(repo.root, "a.txt"), "a\n");
    repo.git("add", "a.txt");
    repo.git("commit", "-q", "-m", "work");
    expect((await repo.run(["run", "proj-1", "--grimoire", "prepare-pr"])).code).toBe(3);
    expect((await showRun(repo)).message).toContain("changed after the tests: late.txt");
  });
});
