import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../src/contract/run-journal.ts";
import type { RunSnapshot } from "../../src/contract/run-snapshot.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { readStream, showRun } from "../support/runs.ts";

const tests =
  "{name: tests, type: script, on_fail: continue, command: 'echo run {{.iteration}}; echo it broke >&2; exit 7'}";
const fix = "{name: fix, type: script, command: echo mended}";

const ask = '- {name: ask, type: agent, spell: "Do\\nit"}';
const answer = { success: true, summary: "asked and told", outputs: { flag: "yes", list: [1] } };

/** What each reason's run is made of, and what its context has to say. */
const reasons: Record<string, { steps: string; context: Record<string, unknown> }> = {
  step_failed: {
    steps: "- {name: a, type: script, command: 'echo out; echo err >&2; exit 3'}",
    context: { success: false, output: "out", stderr: "err\n", exit_code: 3 },
  },
  max_iterations: {
    steps: `- {name: l, type: loop, max_iterations: 2, steps: [${tests}, ${fix}]}`,
    context: { output: "run 2", stderr: "it broke\n", exit_code: 7, step: { path: "l[2]/tests", attempt: 1 } },
  },
  timeout: {
    steps: `- {name: l, type: loop, timeout: 2s, steps: [${fix}, {name: slow, type: script, command: 'echo before; sleep 60'}]}`,
    context: { success: false, output: "before", step: { path: "l[1]/slow", attempt: 1 } },
  },
  cannot_render: {
    steps: `${ask}\n- {name: b, type: script, command: 'echo {{index .ask.outputs.list 5}}'}`,
    context: { success: true, summary: "asked and told", step: { path: "ask", attempt: 1 } },
  },
  bad_condition: {
    steps: `${ask}\n- {name: b, type: script, when: '{{.ask.outputs.flag}}', command: 'true'}`,
    context: { success: true, summary: "asked and told", step: { path: "ask", attempt: 1 } },
  },
};

describe("G14 blocked_context", () => {
  for (const [reason, { steps, context }] of Object.entries(reasons)) {
    test(`G14 of ${reason}: in the event, the state file, run show and the session`, async () => {
      using repo = new RunRepo(steps);
      const { stdout } = await repo.run(["run", "proj-1", "--json"], { env: repo.plays({ result: answer }) });
      const { events, run } = readStream(stdout);
      const event = events.at(-1) as Extract<RunEvent, { actions: string[] }>;
      expect([event.blocked_reason, event.blocked_context]).toMatchObject([reason, context]);
      expect(run.blocked_context).toEqual(event.blocked_context);
      const state = JSON.parse(
        readFileSync(join(repo.home, "state/workflows", `${run.id}.json`), "utf8"),
      ) as RunSnapshot;
      expect(state.waiting?.blocked_context).toEqual(event.blocked_context);
      const session = await repo.clew("session", "show", run.id);
      const words = String(context["output"] ?? context["summary"]);
      expect(session).toContain(words);
      expect(await repo.clew("inbox")).toContain(words);
    });
  }

  test("G14 of a rejection: the words, and the diff that they are about", async () => {
    using repo = new MergeRepo("echo new > new.txt");
    await repo.clewRun("start");
    await repo.clewRun("reject", ["-r", "no tests"]);
    const run = await showRun(repo);
    expect(run.blocked_context).toMatchObject({
      output: expect.stringContaining("+new") as string,
      error: "the changes were rejected: no tests",
    });
    expect(run.merge).toMatchObject({ target: "main", totals: { files: 1 } });
  });

  test("G10 of the run's own time-out between steps: what the last step gave", async () => {
    using repo = new RunRepo(
      "- {name: a, type: script, command: 'echo seen; sleep 1.2'}\n- {name: b, type: script, command: sleep 60}",
    );
    repo.configure("default_grimoire: flow\nrun_timeout: 1s\n");
    const { code } = await repo.run(["run", "proj-1"]);
    expect(code).toBe(3);
    expect(await showRun(repo)).toMatchObject({ blocked_reason: "timeout", blocked_context: { output: "seen" } });
  });
});

describe("G16 the state file", () => {
  test("G16 has variables, step results and the iteration, as another tool would read them", async () => {
    using repo = new RunRepo(`
- {name: base, type: script, output: start, command: echo here}
- {name: long, type: script, output: much, command: "head -c 9000 /dev/zero | tr '\\\\0' y"}
- name: outer
  type: loop
  steps:
    - name: inner
      type: loop
      steps:
        - {name: step-in, type: script, command: "test -e ../../go"}
`);
    await repo.run(["run", "proj-1", "--var", "word=a"]);
    const id = await repo.runId();
    const read = (): RunSnapshot =>
      JSON.parse(readFileSync(join(repo.home, "state/workflows", `${id}.json`), "utf8")) as RunSnapshot;
    expect(read()).toMatchObject({
      variables: { word: "a", start: "here" },
      iterations: [
        { path: "outer", iteration: 1 },
        { path: "outer[1]/inner", iteration: 1 },
      ],
      steps: {
        base: { path: "base", attempt: 1, status: "succeeded", exit_code: 0, output: "here" },
        long: { status: "succeeded", left_out: ["output"] },
        "step-in": { path: "outer[1]/inner[1]/step-in", status: "failed", exit_code: 1 },
      },
    });
    expect(read().variables).not.toHaveProperty("much");
    await repo.run(["run", "retry", id, "--input", "word=b"]);
    expect(read().variables["word"]).toBe("b");
  });

  test("G15 a loop's completion has its duration", async () => {
    using repo = new RunRepo(
      "- {name: l, type: loop, steps: [{name: a, type: script, command: sleep 0.3, on_success: exit_loop}]}",
    );
    await repo.clew("run", "proj-1");
    const loop = (await showRun(repo)).steps.find(({ path }) => path === "l");
    expect(loop!.duration_ms).toBeGreaterThanOrEqual(300);
  });
});

describe("G9 an agent without a result", () => {
  test("G9 its words are the step's output, and the next step sees them", async () => {
    using repo = new RunRepo(`
- {name: ask, type: agent, on_fail: continue, output: answer, spell: "Do\\nit"}
- {name: look, type: script, command: "printf '%s|%s' {{.answer}} {{.ask.success}} >> ../../notes"}
`);
    const env = repo.plays({ say: "I could not find the file." });
    const { code } = await repo.run(["run", "proj-1"], { env });
    expect([code, repo.notes]).toEqual([0, "I could not find the file.|false"]);
    expect((await showRun(repo)).steps[0]).toMatchObject({ status: "failed", output: "I could not find the file." });
  });
});
