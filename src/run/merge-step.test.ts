import { expect, it } from "vitest";
import { pinned, script } from "../../test/support/run-host.ts";
import type { LoopStep, MergeStep, Step } from "../contract/grimoire.ts";
import type { Outcome, Signal, StepResult } from "../contract/run.ts";
import { PlayedPort, playedOffer } from "./fixtures/played-port.ts";
import { interpret } from "./interpreter.ts";
import { movedResult } from "./merge-results.ts";

const merge: MergeStep = { name: "merge", type: "merge", require_review: true };
const done = (result: StepResult): Outcome => ({ kind: "done", result });
const retry = (inputs = {}): Signal => ({ kind: "retry", inputs });

function loop(name: string, steps: Step[]): LoopStep {
  return { name, type: "loop", steps, max_iterations: 3, on_max_iterations: "block" };
}

const tested = (tree?: string): Outcome => done({ success: true, output: "3 passed", ...(tree && { tree }) });
const verified: MergeStep = { ...merge, verify: "test {{.word}}" };
const sameCommand = script("tests", { command: "test {{.other}}", input: { other: "{{.word}}" } });
const variables = { word: "it" };

it("G12 verify is prepared between the offer and the review, and its failure blocks", async () => {
  const no = done({ success: false, output: "1 failed", exit_code: 1 });
  const port = new PlayedPort({ "verify merge#1": no }, [retry(), { kind: "approve" }]);
  await interpret(pinned([verified], { variables }), port);
  expect(port.asked).toEqual([
    "offer merge#1",
    "verify merge#1",
    "blocked merge#1 verify",
    "offer merge#2",
    "verify merge#2",
    "pending_merge merge#2 review",
    "merge#2",
  ]);
  expect(port.waits[0]).toMatchObject({
    result: { output: "1 failed" },
    message: expect.stringMatching(/^verify/) as string,
  });
});

it.each([
  ["of the offered tree", playedOffer.tree, []],
  ["of another tree", "e".repeat(40), ["verify merge#1"]],
  ["of no tree", undefined, ["verify merge#1"]],
])("G12 a step with the same rendered command: the proof %s", async (_, tree, asked) => {
  const port = new PlayedPort({ tests: tested(tree) }, [{ kind: "approve" }]);
  await interpret(pinned([sameCommand, verified], { variables }), port);
  expect(port.tasks[0]!.input).toMatchObject({ records_tree: true });
  expect(port.asked).toEqual(["tests#1", "offer merge#1", ...asked, "pending_merge merge#1 review", "merge#1"]);
  expect(port.waits[0]!.merge!.proven).toMatchObject([{ by: asked.length === 0 ? "step" : "verify" }]);
  // The journal alone leads the same way.
  const before = port.asked.length;
  await interpret(pinned([sameCommand, verified], { variables }), port);
  expect(port.asked.slice(before)).toEqual([]);
});

it("G12 a step with another command, or a verify that cannot be rendered yet, records nothing", async () => {
  const other = script("tests", { command: "test {{.word}} twice" });
  const later: MergeStep = { ...merge, name: "late", verify: "test {{index .word 9}}" };
  const port = new PlayedPort({}, [{ kind: "approve" }, retry({ word: "0123456789" }), { kind: "approve" }]);
  await interpret(pinned([other, verified, later], { variables }), port);
  expect(port.tasks[0]!.input).not.toHaveProperty("records_tree");
  expect(port.asked).toContain("blocked late#1 cannot_render");
});

it("G12 what moved while it was verified is offered anew", async () => {
  const port = new PlayedPort({ "verify merge#1": done(movedResult("a file changed")) }, [{ kind: "approve" }]);
  await interpret(pinned([verified], { variables }), port);
  expect(port.asked.slice(0, 4)).toEqual(["offer merge#1", "verify merge#1", "offer merge#2", "verify merge#2"]);
});

it("G12 changes end the iteration, and the next one sees the words; a success leaves the loop", async () => {
  const again: MergeStep = { ...merge, on_changes: "continue", on_success: "exit_loop" };
  const read = script("read", { command: 'echo {{default "" .previous.output}} {{default false .merge.failed}}' });
  const steps = [loop("l", [read, again, script("rest")]), script("after")];
  const port = new PlayedPort({}, [{ kind: "changes", text: "more" }, { kind: "approve" }]);
  await interpret(pinned(steps), port);
  expect(port.asked.filter((each) => !/^(?:iteration|loop_started)/.test(each))).toEqual([
    "l[1]/read#1",
    "offer l[1]/merge#1",
    "pending_merge l[1]/merge#1 review",
    "merge_started l[1]/merge#1",
    "completed l[1]/merge#1 failed",
    "l[2]/read#1",
    "offer l[2]/merge#1",
    "pending_merge l[2]/merge#1 review",
    "l[2]/merge#1",
    "loop_ended l#1 succeeded",
    "after#1",
  ]);
  const values = port.tasks.map(({ input }) => (input.kind === "script" ? Object.values(input.values) : []));
  expect(values).toEqual([["", "false"], ["more", "true"], [], []]);
});

it("G12 a run that is interpreted anew knows the proofs of earlier attempts, and verifies nothing again", async () => {
  const answers = { "merge#1": done(movedResult("main moved")) };
  const port = new PlayedPort(answers, [{ kind: "approve" }, { kind: "approve" }]);
  await interpret(pinned([verified], { variables }), port);
  expect(port.asked.filter((each) => each.startsWith("verify"))).toEqual(["verify merge#1"]);
  const half = new PlayedPort(answers, [{ kind: "approve" }]);
  await expect(interpret(pinned([verified], { variables }), half)).rejects.toThrow("nobody answers");
  const before = half.asked.length;
  await expect(interpret(pinned([verified], { variables }), half)).rejects.toThrow("nobody answers");
  expect(half.asked.slice(before)).toEqual(["pending_merge merge#2 review"]);
});
