import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { write } from "../support/grimoires.ts";
import { landingHeld } from "../support/held-landing.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { processesWith } from "../support/processes.ts";
import { RunRepo } from "../support/run-repo.ts";
import { showRun } from "../support/runs.ts";

interface Shown {
  run: { steps: object[] };
}

/**
 * What must fit into a limit here does so on a busy machine, too: no limit is below ten seconds. So they are waited for
 * side by side.
 */
describe("G10 limits", () => {
  test.concurrent("G10 a step that takes too long is failed, with all that it started, and the next one sees it", async () => {
    using repo = new RunRepo(`
- name: slow
  type: script
  timeout: 10s
  on_fail: continue
  command: |
    trap '' TERM
    setsid sleep 300 &
    (trap '' TERM; sleep 300) &
    echo begun
    sleep 300
- name: tell
  type: script
  command: echo {{.previous.failed}} {{.slow.output}} >> ../../notes
`);
    const mark = `timeout-${process.pid}-${Math.random()}`;
    expect((await repo.run(["run", "proj-1"], { env: { MARK: mark } })).code).toBe(0);
    expect(repo.notes).toBe("true begun\n");
    expect(processesWith(mark)).toEqual([]);
    const shown = await repo.json<Shown>("run", "show", "latest");
    expect(shown.run.steps[0]).toMatchObject({ status: "failed", error: "took longer than 10s" });
  });

  test.concurrent("G10 a run that takes too long blocks with the reason timeout; a retry has the whole time again", async () => {
    using repo = new RunRepo("");
    write(
      repo,
      ".clew/grimoires/flow.yaml",
      "name: flow\ndescription: d\ntimeout: 10s\nsteps: [{name: a, type: script, command: 'echo a >> ../../notes; test -e ../../go || sleep 300'}]\n",
    );
    const { code, stdout } = await repo.run(["run", "proj-1", "--json"]);
    expect(code).toBe(3);
    const last = JSON.parse(stdout.trimEnd().split("\n").at(-1)!) as Shown;
    expect(last.run).toMatchObject({ status: "blocked", blocked_reason: "timeout" });
    write(repo, "go", "");
    expect((await repo.run(["run", "retry", "latest"])).code).toBe(0);
    expect(repo.notes).toBe("a\na\n");
  });

  test.concurrent("G10 a loop with a limit of its own blocks as a loop, and a retry begins its next iteration", async () => {
    using repo = new RunRepo(`
- name: trying
  type: loop
  timeout: 10s
  max_iterations: 1000
  steps:
    - name: once
      type: script
      on_success: exit_loop
      on_fail: continue
      command: echo {{.iteration}} >> ../../notes; sleep 0.2; test -e ../../go
`);
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    const shown = await repo.json<Shown>("run", "show", "latest");
    expect(shown.run).toMatchObject({ blocked_reason: "timeout", current: { path: "trying", attempt: 1 } });
    const tried = repo.notes.trim().split("\n").length;
    write(repo, "go", "");
    expect((await repo.run(["run", "retry", "latest"])).code).toBe(0);
    const iterations = repo.notes.trim().split("\n").map(Number);
    expect(iterations.slice(0, -1)).toEqual(Array.from({ length: tried }, (_, at) => at + 1));
    // The one that was stopped may not have come as far as its first word.
    expect([tried + 1, tried + 2]).toContain(iterations.at(-1));
  });
  test.concurrent("G15 what a step used before it was stopped is counted, and what it said is kept", async () => {
    using repo = new RunRepo('- {name: ask, type: agent, spell: "Do\\nit."}');
    write(repo, ".clew/config.yaml", "default_grimoire: flow\nengine: scripted\nrun_timeout: 10s\n");
    const env = repo.plays({ say: "Working.", usage: { input: 1000, output: 500 } }, { run: "sleep 300" });
    expect((await repo.run(["run", "proj-1"], { env })).code).toBe(3);
    const lines = repo.journal(await repo.runId());
    expect(lines.find((line) => line.type === "workflow.step.completed")).toMatchObject({
      status: "stopped",
      stopped: "timeout",
      usage: { input_tokens: 1000, output_tokens: 500 },
    });
  });

  test.concurrent("G8 values in it are data, a shell and a time-out are its own, and a failure to render blocks", async () => {
    const verify = "[[ {{.word}} == 'a; touch ../../owned' ]] && sleep {{.seconds}}";
    const merge = { verify, shell: "bash", timeout: "10s" };
    using repo = new MergeRepo("echo new > new.txt", { merge });
    const given = ["--var", "word=a; touch ../../owned", "--var"];
    const slow = await repo.clewRun("start", [...given, "seconds=60"]);
    expect(slow).toMatchObject({ code: 3, stdout: expect.stringContaining("took longer than 10s") as string });
    expect(repo.at(repo.worktree, "status", "--short")).toBe("");
    expect((await repo.clewRun("retry", ["--input", "seconds=0"])).code).toBe(4);
    expect(existsSync(join(repo.root, "owned"))).toBe(false);
    const preview = await repo.run([
      "grimoire",
      "preview",
      "flow",
      "--bead",
      "proj-1",
      ...given,
      "seconds=0",
      "--json",
    ]);
    const { steps } = JSON.parse(preview.stdout) as { steps: object[] };
    expect(steps.at(-1)).toMatchObject({
      verify: "[[ 'a; touch ../../owned' == 'a; touch ../../owned' ]] && sleep '0'",
      shell: "bash",
      timeout_ms: 10_000,
      strategy: "merge",
    });
  });

  test.concurrent("G10 G12 a landing that takes too long is taken back, and blocks", async () => {
    using repo = new MergeRepo("echo new > new.txt");
    repo.put(
      ".clew/grimoires/flow.yaml",
      repo.text(".clew/grimoires/flow.yaml")!.replace("steps:", "timeout: 15s\nsteps:"),
    );
    expect((await repo.clewRun("start")).code).toBe(4);
    const { ended } = await landingHeld(repo);
    expect((await ended).code).toBe(3);
    expect((await showRun(repo)).blocked_reason).toBe("timeout");
    expect(repo.git("status", "--short", "--", ":!.beads", ":!.clew")).toBe("");
    rmSync(join(repo.root, ".git/hooks/reference-transaction"));
    expect((await repo.clewRun("retry")).code).toBe(4);
    expect((await repo.clewRun("approve")).code).toBe(0);
    expect(repo.git("status", "--short", "--", ":!.beads", ":!.clew")).toBe("");
  });
});
