import { describe, expect, it } from "vitest";
import { pinned, script } from "../../test/support/run-host.ts";
import type { LoopStep, Step } from "../contract/grimoire.ts";
import type { Outcome, Signal, StepResult } from "../contract/run.ts";
import type { ScriptInput } from "../contract/step-input.ts";
import { PlayedPort, playedOffer } from "./fixtures/played-port.ts";
import { interpret } from "./interpreter.ts";
import { conflictResult, movedResult } from "./merge-results.ts";

const done = (result: StepResult): Outcome => ({ kind: "done", result });
const retry = (inputs = {}): Signal => ({ kind: "retry", inputs });

function loop(name: string, steps: Step[], more: Partial<LoopStep> = {}): LoopStep {
  return { name, type: "loop", steps, max_iterations: 3, on_max_iterations: "block", ...more };
}

/** A step that shows what a template gives: its only value. */
function shows(name: string, template: string): Step {
  return script(name, { command: `echo ${template}` });
}

/** What the steps were shown, by path. */
function shown({ tasks }: PlayedPort): Record<string, string> {
  return Object.fromEntries(
    tasks.map(({ path, input }) => [path, (input as ScriptInput).values["clew_value_1"] ?? ""]),
  );
}

describe("G6 variables", () => {
  it("G6 outputs and step names are set, dashes also as underscores", async () => {
    const port = new PlayedPort({ "run-tests": "all good" });
    await interpret(
      pinned([
        script("run-tests", { output: "tests" }),
        shows("a", "{{.tests}}"),
        shows("b", "{{.run_tests.output}} {{.run_tests.success}} {{.run_tests.failed}} {{.run_tests.exit_code}}"),
        shows("c", '{{index . "run-tests" "output"}}'),
        shows("d", "{{.bead.id}}"),
      ]),
      port,
    );
    expect(shown(port)).toMatchObject({ a: "all good", c: "all good", d: "proj-1" });
    expect(port.tasks[2]!.input).toMatchObject({
      values: { clew_value_1: "all good", clew_value_2: "true", clew_value_3: "false", clew_value_4: "0" },
    });
  });

  it("G6 previous is the last step executed in the same sequence, across iterations, and missing at first", async () => {
    const port = new PlayedPort({ before: "B", "l[1]/second": "S1", "l[2]/second": "S2" });
    const first = shows("first", "{{default `none` .previous.output}}/{{.loop_entry.output}}/{{.iteration}}");
    const second = shows("second", "{{.previous.output}}");
    await interpret(
      pinned([
        script("before"),
        loop("l", [first, second], { on_max_iterations: "exit" }),
        shows("after", "{{.previous.output}}"),
      ]),
      port,
    );
    const values = port.tasks.map(({ path, input }) =>
      [path, ...Object.values((input as ScriptInput).values)].join(" "),
    );
    expect(values).toEqual([
      "before",
      "l[1]/first none B 1",
      "l[1]/second l[1]/first#1",
      "l[2]/first S1 B 2",
      "l[2]/second l[2]/first#1",
      "l[3]/first S2 B 3",
      "l[3]/second l[3]/first#1",
      "after l[3]/second#1",
    ]);
  });

  it("G6 a skipped step sets no name and is not the previous one", async () => {
    const port = new PlayedPort({ a: "A" });
    const steps = [
      script("a"),
      script("b", { when: false, output: "given" }),
      shows("c", "{{.previous.output}}{{default `-` .given}}"),
    ];
    await interpret(pinned(steps), port);
    expect(port.asked).toEqual(["a#1", "skipped b#1", "c#1"]);
    expect(port.tasks[1]!.input).toMatchObject({ values: { clew_value_1: "A", clew_value_2: "-" } });
  });

  it("G6 loop_entry and iteration are restored on leaving, and empty where nothing was before", async () => {
    const inner = loop("inner", [shows("x", "{{.iteration}} {{json .loop_entry}}")], {
      max_iterations: 2,
      on_max_iterations: "exit",
    });
    const outer = loop("outer", [inner, shows("y", "{{.iteration}}{{json .loop_entry}}")], {
      max_iterations: 1,
      on_max_iterations: "exit",
    });
    const port = new PlayedPort();
    await interpret(pinned([outer, shows("z", "{{default `gone` .iteration}}")]), port);
    const { "outer[1]/inner[2]/x": x, "outer[1]/y": y, z } = shown(port);
    expect([x, y, z]).toEqual(["2", "1", "gone"]);
    expect((port.tasks[0]!.input as ScriptInput).values["clew_value_2"]).toBe("{}");
  });

  it("G6 names like JavaScript's own properties are names like any other", async () => {
    const port = new PlayedPort({ a: "A" });
    await interpret(
      pinned([script("a", { output: "constructor" }), shows("b", "{{.constructor}}{{default `none` .toString}}")]),
      port,
    );
    expect(port.tasks[1]!.input).toMatchObject({ values: { clew_value_1: "A", clew_value_2: "none" } });
  });

  it("G6 an input that is exactly one action keeps its type", async () => {
    const port = new PlayedPort({ a: { kind: "done", result: { success: true, output: { list: [1, 2] } } } });
    const step = script("b", { input: { items: "{{.a.output.list}}" }, command: "echo {{range .items}}{{.}}{{end}}" });
    await interpret(pinned([script("a"), step]), port);
    expect(port.tasks[1]!.input).toMatchObject({ values: { clew_value_1: "1", clew_value_2: "2" } });
  });
});

describe("G7 conditions", () => {
  it.each([
    ["text", "{{.a.output}}"],
    ["null", "{{.a.summary}}"],
    ["a number", "{{.a.exit_code}}"],
    ["an object", "{{.bead}}"],
  ])("G7 %s fails the run and is named", async (type, when) => {
    const port = new PlayedPort({}, [{ kind: "cancel" }]);
    expect(await interpret(pinned([script("a"), script("b", { when })]), port)).toBe("cancelled");
    expect(port.asked).toEqual(["a#1", "failed b#1 bad_condition"]);
    expect(port.waits[0]!.message).toContain(`gives ${type}`);
  });

  it("G7 a condition is decided again after a retry that changed what it asks for", async () => {
    const port = new PlayedPort({}, [retry({ flag: true })]);
    const steps = [script("b", { when: "{{.flag}}" })];
    expect(await interpret(pinned(steps, { variables: { flag: "no" } }), port)).toBe("completed");
    expect(port.asked).toEqual(["failed b#1 bad_condition", "b#2"]);
  });

  it("G7 conditions decide inside loops as well", async () => {
    const port = new PlayedPort({ "l[1]/test": false });
    const steps = [
      script("test", { on_fail: "continue", on_success: "exit_loop" }),
      script("fix", { when: "{{.previous.failed}}" }),
      script("never", { when: "{{.previous.failed}}" }),
    ];
    await interpret(pinned([loop("l", steps)]), port);
    expect(port.asked).toEqual([
      "loop_started l#1",
      "iteration l[1]",
      "l[1]/test#1",
      "l[1]/fix#1",
      "skipped l[1]/never#1",
      "iteration l[2]",
      "l[2]/test#1",
      "loop_ended l#1 succeeded",
    ]);
  });
});

describe("G9 handlers", () => {
  it("G9 a failed step blocks unless it may fail", async () => {
    const port = new PlayedPort({ a: false, "b#1": false }, [retry()]);
    await interpret(pinned([script("a", { on_fail: "continue" }), script("b"), script("c")]), port);
    expect(port.asked).toEqual(["a#1", "b#1", "blocked b#1 step_failed", "b#2", "c#1"]);
    expect(port.waits[0]!.result).toMatchObject({ success: false, exit_code: 1 });
  });

  it("G9 exit_loop leaves the innermost loop only", async () => {
    const inner = loop("inner", [script("x", { on_success: "exit_loop" }), script("unreached")]);
    const port = new PlayedPort();
    await interpret(
      pinned([loop("outer", [inner, script("y")], { max_iterations: 2, on_max_iterations: "exit" })]),
      port,
    );
    expect(port.tasks.map(({ path }) => path)).toEqual([
      "outer[1]/inner[1]/x",
      "outer[1]/y",
      "outer[2]/inner[1]/x",
      "outer[2]/y",
    ]);
  });

  it.each([
    ["exit", "true"],
    ["continue", "false"],
  ] as const)("G9 a loop at its maximum with %s goes on, success %s", async (on_max_iterations, success) => {
    const port = new PlayedPort({ x: "last" });
    const steps = [
      loop("l", [script("x")], { on_max_iterations, output: "said" }),
      shows("y", "{{.previous.success}}{{.said}}"),
    ];
    await interpret(pinned(steps), port);
    expect(port.tasks.at(-1)!.input).toMatchObject({ values: { clew_value_1: success, clew_value_2: "l[3]/x#1" } });
  });

  it("G9 retrying a loop that hit its maximum grants as many iterations again", async () => {
    const port = new PlayedPort({}, [retry(), { kind: "cancel" }]);
    expect(await interpret(pinned([loop("l", [script("x")], { max_iterations: 2 })]), port)).toBe("cancelled");
    expect(port.asked.filter((each) => !each.startsWith("iteration"))).toEqual([
      "loop_started l#1",
      "l[1]/x#1",
      "l[2]/x#1",
      "blocked l#1 max_iterations",
      "loop_started l#2",
      "l[3]/x#1",
      "l[4]/x#1",
      "blocked l#2 max_iterations",
    ]);
    expect(port.waits[1]!.iterations.map(({ iteration, summary }) => `${iteration} ${summary}`)).toEqual([
      "1 x succeeded",
      "2 x succeeded",
      "3 x succeeded",
      "4 x succeeded",
    ]);
  });

  it("G9 a step that cannot be rendered blocks, and is rendered again after a retry", async () => {
    const port = new PlayedPort({}, [retry({ list: [1, 2] })]);
    expect(await interpret(pinned([shows("a", "{{index .list 1}}")], { variables: { list: [1] } }), port)).toBe(
      "completed",
    );
    expect(port.asked).toEqual(["blocked a#1 cannot_render", "a#2"]);
    expect(port.waits[0]!.message).toContain("out of range");
  });
});

describe("G10 time-outs", () => {
  it("G10 a run that takes too long blocks at its step, and a retry does that step again", async () => {
    const port = new PlayedPort({ "a#1": { kind: "timeout", scope: null } }, [retry()]);
    await interpret(pinned([script("a"), script("b")]), port);
    expect(port.asked).toEqual(["a#1", "blocked a#1 timeout", "a#2", "b#1"]);
  });

  it("G10 a loop that takes too long is left, through loops inside it, and a retry begins its next iteration", async () => {
    const inner = loop("inner", [script("x")], { max_iterations: 1, on_max_iterations: "exit" });
    const outer = loop("outer", [inner], { timeout_ms: 5000, max_iterations: 1, on_max_iterations: "exit" });
    const port = new PlayedPort({ "outer[1]/inner[1]/x": { kind: "timeout", scope: { path: "outer", attempt: 1 } } }, [
      retry(),
    ]);
    await interpret(pinned([outer]), port);
    expect(port.tasks.map(({ path, within }) => [path, within])).toEqual([
      ["outer[1]/inner[1]/x", [{ path: "outer", attempt: 1, timeout_ms: 5000 }]],
      ["outer[2]/inner[1]/x", [{ path: "outer", attempt: 2, timeout_ms: 5000 }]],
    ]);
    expect(port.waits[0]).toMatchObject({ path: "outer", reason: "timeout", status: "blocked" });
  });
});

describe("G10 G17 loops that perform nothing", () => {
  const idle = (name: string, more: Partial<LoopStep> = {}): LoopStep =>
    loop(name, [script("x", { when: false })], { max_iterations: 2, on_max_iterations: "exit", ...more });

  it("G10 the run's limit is met between iterations, and a retry goes on with the next", async () => {
    const port = new PlayedPort({ "l[2]": { kind: "timeout", scope: null } }, [retry()]);
    expect(await interpret(pinned([idle("l")]), port)).toBe("completed");
    expect(port.asked.filter((each) => !each.startsWith("skipped"))).toEqual([
      "loop_started l#1",
      "iteration l[1]",
      "iteration l[2]",
      "blocked l#1 timeout",
      "loop_started l#2",
      "iteration l[3]",
      "iteration l[4]",
      "loop_ended l#2 succeeded",
    ]);
  });

  it("G10 the limit of a loop around leaves those inside it", async () => {
    const answers = { "outer[1]/inner[2]": { kind: "timeout", scope: { path: "outer", attempt: 1 } } as const };
    const port = new PlayedPort(answers, [{ kind: "cancel" }]);
    const outer = loop("outer", [idle("inner")], { timeout_ms: 10 });
    expect(await interpret(pinned([outer]), port)).toBe("cancelled");
    expect(port.waits).toMatchObject([{ path: "outer", attempt: 1, reason: "timeout" }]);
  });

  it("G17 a cancel is met between iterations", async () => {
    const port = new PlayedPort({ "l[2]": { kind: "cancelled" } });
    expect(await interpret(pinned([idle("l")]), port)).toBe("cancelled");
  });
});

describe("G12 review", () => {
  const merge: Step = { name: "merge", type: "merge", require_review: true };

  it("G12 waits for a review, and a rejected one blocks and can be asked for again", async () => {
    const port = new PlayedPort({}, [{ kind: "reject", reason: "no tests" }, retry(), { kind: "approve" }]);
    await interpret(pinned([merge, script("after")]), port);
    expect(port.asked).toEqual([
      "offer merge#1",
      "pending_merge merge#1 review",
      "blocked merge#1 rejected",
      "offer merge#2",
      "pending_merge merge#2 review",
      "merge#2",
      "after#1",
    ]);
    expect(port.waits[0]).toMatchObject({ merge: playedOffer, result: { output: "the diff" } });
    expect(port.waits[1]!.message).toBe("the changes were rejected: no tests");
    expect(port.tasks[0]!.input).toEqual({ kind: "merge", offer: { ...playedOffer, proven: [] } });
  });

  it("G12 what moved after the approval is offered and asked for again, whoever lands it", async () => {
    const answers = { "merge#1": done(movedResult("main moved")) };
    const port = new PlayedPort(answers, [{ kind: "approve" }, { kind: "approve" }]);
    await interpret(pinned([merge]), port);
    expect(port.asked).toEqual([
      "offer merge#1",
      "pending_merge merge#1 review",
      "merge#1",
      "offer merge#2",
      "pending_merge merge#2 review",
      "merge#2",
    ]);
    expect(port.waits[1]!.message).toBe("main moved");
  });

  it("G12 without review, moved heads are followed, and what is in the way is asked", async () => {
    const inTheWay = { success: false, output: null, error: "notes.txt is in the way" };
    const answers = { "merge#1": done(movedResult("main moved")), "merge#2": done(inTheWay) };
    const port = new PlayedPort(answers, [{ kind: "approve" }]);
    await interpret(pinned([{ ...merge, require_review: false }]), port);
    expect(port.asked).toEqual([
      "offer merge#1",
      "merge#1",
      "offer merge#2",
      "merge#2",
      "offer merge#3",
      "pending_merge merge#3 review",
      "merge#3",
    ]);
    expect(port.waits[0]!.message).toBe("notes.txt is in the way");
  });

  it("G12 without review, heads that move for ever are told to a person in the end", async () => {
    const port = new PlayedPort({ merge: done(movedResult("main moved")) }, [{ kind: "cancel" }]);
    expect(await interpret(pinned([{ ...merge, require_review: false }]), port)).toBe("cancelled");
    expect(port.waits).toHaveLength(1);
  });

  it("G12 nothing to merge is nothing to review", async () => {
    const port = new PlayedPort({ "offer merge#1": done({ success: true, output: "", outputs: { offer: null } }) });
    await interpret(pinned([merge]), port);
    expect(port.asked).toEqual(["offer merge#1", "merge#1"]);
    expect(port.tasks[0]!.input).toEqual({ kind: "merge", offer: null });
  });

  it("G12 a conflict blocks with its files, and is looked at anew when retried", async () => {
    const conflict = conflictResult("a.txt conflicts", ["a.txt"], "<<<<<<<");
    const port = new PlayedPort({ "offer merge#1": done(conflict) }, [retry(), { kind: "approve" }]);
    await interpret(pinned([merge]), port);
    expect(port.asked).toEqual([
      "offer merge#1",
      "blocked merge#1 conflict",
      "offer merge#2",
      "pending_merge merge#2 review",
      "merge#2",
    ]);
    expect(port.waits[0]).toMatchObject({ result: conflict, message: "a.txt conflicts" });
    expect(port.waits[1]!.message).toMatch(/approval/);
  });
});

describe("G11 the worktree", () => {
  const worktree = { branch: "clew/x", setup: null, copy: [], keep_cancelled: true };

  it("G11 is made before the first step, once", async () => {
    const port = new PlayedPort();
    await interpret(pinned([script("a")], { worktree }), port);
    await interpret(pinned([script("a")], { worktree }), port);
    expect(port.asked).toEqual(["worktree .worktree#1", "a#1"]);
  });

  it("G11 one that cannot be made blocks, and is tried again", async () => {
    const failed = { success: false, output: "", error: "setup exited with 1" };
    const port = new PlayedPort({ "worktree .worktree#1": done(failed) }, [retry()]);
    await interpret(pinned([script("a")], { worktree }), port);
    expect(port.asked).toEqual(["worktree .worktree#1", "blocked .worktree#1 worktree", "worktree .worktree#2", "a#1"]);
  });
});

describe("G17 cancel", () => {
  it("G17 a cancelled step ends the run", async () => {
    const port = new PlayedPort({ "l[1]/x": { kind: "cancelled" } });
    expect(await interpret(pinned([loop("l", [script("x")]), script("after")]), port)).toBe("cancelled");
    expect(port.tasks).toHaveLength(1);
  });
});

it("G16 interpreted anew over the same answers, a run asks for nothing that is known", async () => {
  const steps = [
    script("a"),
    script("b", { when: "{{.a.failed}}" }),
    loop("l", [script("x")], { on_max_iterations: "exit" }),
  ];
  const port = new PlayedPort();
  await interpret(pinned(steps), port);
  const tasks = port.tasks.length;
  await interpret(pinned(steps), port);
  expect(port.tasks).toHaveLength(tasks);
});
