import { assumeRedacted } from "../../contract/redacted.ts";
import { expect, it } from "vitest";
import { pinned, RunFolder, script } from "../../../test/support/run-host.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { Handlers } from "../../run/handlers.ts";
import type { Disk } from "../files/disk.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { signalFiles } from "./signal-files.ts";

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
  expect(end).toEqual({ kind: "stopped", status: "completed" });
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
  expect(await host.drive(id, { handlers })).toEqual({ kind: "stopped", status: "blocked" });
  expect(folder.store.state(id).waiting).toMatchObject({ path: "second", reason: "step_failed" });
  await host.signal(id, { kind: "retry", inputs: { word: "b" } }, { path: "second", attempt: 1 });
  expect(await host.drive(id, { handlers })).toEqual({ kind: "stopped", status: "completed" });
  expect(tried).toEqual(["first#1 ", "second#1 a", "second#2 b"]);
});

it("G16 a signal that comes while others are taken up is in the journal, or waits for the next look: never lost", async () => {
  using folder = new RunFolder();
  const signals = signalFiles(nodeDisk, folder.folders.signals);
  const given: string[] = [];
  const disk: Disk = {
    ...nodeDisk,
    list(path) {
      const names = nodeDisk.list(path);
      if (path === folder.folders.signals && given.length < 8) {
        const id = `late${given.length}`;
        const to = { path: "first", attempt: 1 };
        const at = new Date(given.length).toISOString();
        signals.put("run", assumeRedacted({ id, at, signal: { kind: "retry", inputs: {} }, to }));
        given.push(id);
      }
      return names;
    },
  };
  const host = folder.host({ disk });
  const lines: JournalLine[] = [];
  const handlers: Handlers = { script: async () => ({ success: false, output: "", exit_code: 1 }) };
  await host.start("run", pinned([script("first")]));
  for (let drives = 0; drives < 4; drives++) await host.drive("run", { handlers, onLine: (line) => lines.push(line) });
  const written = lines.flatMap((line) => (line.type === "run.signal" ? line.id : []));
  const waiting = signals.list("run").map(({ id }) => id);
  expect(given.length).toBeGreaterThan(3);
  expect([...written, ...waiting].sort()).toEqual(given);
});
