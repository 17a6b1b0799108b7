import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { MergeRepo } from "../support/merge-repo.ts";
import { linesOf } from "../support/run-repo.ts";
import { script, showRun } from "../support/runs.ts";

const work = "printf '%s %s\\n' {{.iteration}} {{default \"\" .merge.output}} >> words.txt";
const looped = {
  inLoop: true,
  merge: { on_changes: "continue", on_success: "exit_loop" },
  after: [script("rest", "echo rest >> ../../rest")],
};

describe("G12 changes", () => {
  test("G12 the step completes as failed with the text, the rest does not run, the next iteration sees it", async () => {
    using repo = new MergeRepo(work, looped);
    const waiting = await repo.clewRun("start");
    expect(waiting.stdout).toMatch(/clew run changes \S+ -m TEXT/);
    const text = "Mind the 'quotes'; $(touch ../../owned)\nand a second line";
    expect((await repo.clewRun("changes", ["-m", text])).code).toBe(4);
    const run = await showRun(repo);
    expect(run.steps.filter(({ path }) => path.endsWith("/merge"))).toMatchObject([
      { path: "again[1]/merge", status: "failed", output: text, error: "changes were asked for" },
      { path: "again[2]/merge", status: "waiting" },
    ]);
    expect(run.signals).toMatchObject([{ kind: "changes", text, taken: true, to: { path: "again[1]/merge" } }]);
    expect(repo.text("words.txt", repo.worktree)).toBe(`1 \n2 ${text}\n`);
    expect(existsSync(`${repo.root}/owned`)).toBe(false);
    const session = await repo.clew("session", "show", run.id);
    expect(session).toContain("Mind the 'quotes'");
    expect((await repo.clewRun("approve")).code).toBe(0);
    // Neither after the changes nor behind exit_loop.
    expect(existsSync(`${repo.root}/rest`)).toBe(false);
    expect(repo.text("words.txt")).toContain("and a second line");
    expect(await repo.beadStatus()).toBe("closed");
  });

  test("G12 the last iteration is the last: the loop then does what it says", async () => {
    using repo = new MergeRepo(work, looped);
    await repo.clewRun("start");
    expect((await repo.clewRun("changes", ["-m", "one"])).code).toBe(4);
    expect((await repo.clewRun("changes", ["-m", "two"])).code).toBe(4);
    expect((await repo.clewRun("changes", ["-m", "three"])).code).toBe(3);
    expect(await showRun(repo)).toMatchObject({
      blocked_reason: "max_iterations",
      blocked_context: { output: "three", step: { path: "again[3]/merge", attempt: 1 } },
    });
    expect((await repo.clewRun("retry")).code).toBe(4);
    expect(repo.text("words.txt", repo.worktree)).toMatch(/4 three\n$/);
  });

  test("G12 through the inbox, which goes on with the run at once", async () => {
    using repo = new MergeRepo(work, looped);
    await repo.clewRun("start");
    const { items } = await repo.json<{ items: { id: string; text: string }[] }>("inbox");
    expect(items[0]!.text).toMatch(/clew run changes/);
    expect((await repo.refused(["inbox", "answer", items[0]!.id, "changes"])).message).toMatch(/what is to be changed/);
    expect((await repo.run(["inbox", "answer", items[0]!.id, "changes Make it two\nlines"])).code).toBe(4);
    expect(repo.text("words.txt", repo.worktree)).toBe("1 \n2 Make it two\nlines\n");
  });

  test("G12 G16 a journal that ends with the words alone gives the same when it is gone on with", async () => {
    using repo = new MergeRepo(work, looped);
    await repo.clewRun("start");
    const { items } = await repo.json<{ items: { id: string }[] }>("inbox");
    expect((await repo.run(["inbox", "answer", items[0]!.id, "changes again"])).code).toBe(4);
    const { journal, id } = await showRun(repo);
    expect((await repo.run(["run", "resume", id])).code).toBe(4);
    const types = linesOf(readFileSync(journal, "utf8")).map(({ type }) => type);
    const from = types.indexOf("run.signal");
    const after = ["run.signal", "workflow.step.started", "workflow.step.completed"];
    expect(types.slice(from, from + 3)).toEqual(after);
    const before = readFileSync(journal, "utf8");
    expect((await repo.run(["run", "resume", id])).code).toBe(4);
    const added = linesOf(readFileSync(journal, "utf8").slice(before.length)).map(({ type }) => type);
    expect(added).toEqual(["run.driven"]);
  });

  test("G12 a merge without on_changes refuses it, and so does every other wait", async () => {
    using repo = new MergeRepo("echo new > new.txt");
    await repo.clewRun("start");
    const refusal = await repo.refused(["run", "changes", "proj-1", "-m", "more"]);
    expect(refusal).toMatchObject({
      code: "not_possible_now",
      message: expect.stringContaining("on_changes") as string,
    });
    await repo.clewRun("reject");
    expect((await repo.refused(["run", "changes", "proj-1", "-m", "more"])).message).toContain("is blocked");
    expect((await repo.run(["run", "changes", "proj-1"])).code).toBe(2);
  });

  test("G1 on_changes and exit_loop outside a loop, and a shell without verify, are errors of the grimoire", async () => {
    using repo = new MergeRepo("true", {
      merge: { on_changes: "continue", on_success: "exit_loop", timeout: "1m", shell: "bash" },
    });
    const { stdout } = await repo.run(["grimoire", "validate", "flow", "--json"]);
    const { grimoires } = JSON.parse(stdout) as { grimoires: { problems: { message: string }[] }[] };
    expect(grimoires[0]!.problems.map(({ message }) => message).sort()).toEqual([
      "on_changes: continue stands outside a loop",
      "on_success: exit_loop stands outside a loop",
      "shell: belongs to the verify of a merge step, and there is none",
      "timeout: belongs to the verify of a merge step, and there is none",
    ]);
  });
});
