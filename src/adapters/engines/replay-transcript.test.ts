import { mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { EngineEvent } from "../../contract/engine.ts";
import { createRedactor } from "../../redact/redactor.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { performTurns, scripted } from "./perform.fixture.ts";
import { engineAgents } from "./engine-agents.ts";
import { transcriptFiles } from "./transcript-files.ts";

test("W4 a transcript that is read again gives what the engine told, each with its line", async () => {
  const folder = mkdtempSync(join(tmpdir(), "clew replay "));
  await performTurns(folder, [
    { say: "I look", run: "echo seen", usage: { input: 10, output: 3 } },
    { result: { success: true, summary: "done" } },
  ]);
  const agents = engineAgents({
    engines: [scripted],
    redactor: createRedactor({}),
    transcripts: transcriptFiles(join(folder, "transcripts"), nodeDisk, () => 0),
    env: {},
    newId: () => "agent-1",
  });
  const [name] = readdirSync(join(folder, "transcripts/run-1"));
  const seen: [EngineEvent["type"], number][] = [];
  const request = { engine: "scripted", task: { level: "work" as const }, folder };
  const replay = (file: string) =>
    agents.replay({ ...request, transcript: { owner: "run-1", name: file } }, ({ type }, line) => {
      seen.push([type, line]);
    });
  expect(await replay(name!)).toMatchObject({ usage: { input_tokens: 10, output_tokens: 3 } });
  expect(seen.map(([type]) => type)).toEqual(expect.arrayContaining(["init", "message", "tool_call", "result"]));
  expect(seen.map(([, line]) => line)).toEqual(seen.map(([, line]) => line).toSorted((a, b) => a - b));
  for (const other of ["../run-1/x.jsonl", "none.jsonl", ""]) expect(await replay(other)).toBeUndefined();
});
