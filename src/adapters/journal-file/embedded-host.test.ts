import { expect, it } from "vitest";
import { pinned, RunFolder, script } from "../../../test/support/run-host.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { Handlers } from "../../run/handlers.ts";

const succeed: Handlers = {
  script: async ({ path }) => ({ success: true, output: `did ${path}`, exit_code: 0 }),
};

it("G16 a run is driven to its end, and its journal tells how", async () => {
  using folder = new RunFolder();
  const host = folder.host();
  const lines: JournalLine[] = [];
  const steps = [
    script("first"),
    script("second", { input: { said: "{{.previous.output}}" }, command: "echo {{.said}}" }),
  ];
  const id = await host.start("2026-11-16-run", pinned(steps));
  const end = await host.drive(id, { handlers: succeed, onLine: (line) => lines.push(line) });
  expect(end).toEqual({ kind: "rests", status: "completed" });
  expect(lines.map(({ type }) => type)).toEqual([
    "run.driven",
    "workflow.step.started",
    "workflow.step.completed",
    "workflow.step.started",
    "workflow.step.completed",
    "workflow.completed",
  ]);
  const started = lines.filter((line) => line.type === "workflow.step.started");
  expect(started[1]!.input).toMatchObject({ script: 'echo "$clew_value_1"', values: { clew_value_1: "did first" } });
  expect(lines.flatMap((line) => ("n" in line ? line.n : []))).toEqual([2, 3, 4, 5, 6]);
  expect(folder.store.state(id)).toMatchObject({ status: "completed", progress: { done: 2, total: 2 } });
});

it("G17 a blocked run goes on from its step with what was changed", async () => {
  using folder = new RunFolder();
  const host = folder.host();
  const tried: string[] = [];
  const handlers: Handlers = {
    script: async ({ path, attempt, input }) => {
      tried.push(`${path}#${attempt} ${Object.values(input.values).join()}`);
      return { success: path === "first" || attempt === 2, output: "", exit_code: attempt === 2 ? 0 : 3 };
    },
  };
  const id = await host.start(
    "run",
    pinned([script("first"), script("second", { command: "echo {{.word}}" })], { variables: { word: "a" } }),
  );
  expect(await host.drive(id, { handlers })).toEqual({ kind: "rests", status: "blocked" });
  expect(folder.store.state(id).waiting).toMatchObject({ path: "second", reason: "step_failed" });
  await host.signal(id, { kind: "retry", inputs: { word: "b" } }, { path: "second", attempt: 1 });
  expect(await host.drive(id, { handlers })).toEqual({ kind: "rests", status: "completed" });
  expect(tried).toEqual(["first#1 ", "second#1 a", "second#2 b"]);
});
