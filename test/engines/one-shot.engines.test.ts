import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askedEngines } from "./asked-engines.ts";
import { LineProgram } from "./line-program.ts";
import { realEngine } from "./real-engine.ts";
import { keepRecording } from "./recording.ts";
import type { EngineName } from "../../tools/engines/programs.mjs";
import type { Line } from "./line-program.ts";
import type { Script } from "./model/script.ts";
import type { RealEngine } from "./real-engine.ts";

/** Under load, the slowest needs half a minute. */
const limitMs = 90_000;
const prompt = "do what the script says";

/** Each may do everything, because no person is there to ask. */
const commandLines: Record<EngineName, (model: string) => string[]> = {
  claude: () => [
    ..."-p --output-format stream-json --verbose --permission-mode bypassPermissions --".split(" "),
    prompt,
  ],
  codex: () => ["exec", "--json", "--sandbox", "danger-full-access", "--", prompt],
  gemini: (model) => ["-o", "stream-json", "-m", model, "--approval-mode", "yolo", "-p", prompt],
  qwen: () => ["-o", "stream-json", "--approval-mode", "yolo", prompt],
  opencode: () => ["run", "--format", "json", "--auto", prompt],
};

const story = (folder: string): Script => ({
  turns: [
    {
      say: "First the file.",
      tool: { kind: "write", input: { path: join(folder, "hello.txt"), content: "hello\n" } },
    },
    { say: "Now a command.", tool: { kind: "shell", input: { command: "expr 6 '*' 7 > answer.txt; cat answer.txt" } } },
    { say: "All is done." },
  ],
});

describe.each(askedEngines())("the real %s against the model on loopback", (name) => {
  test("H9 writes a file, runs a command and says a text", async () => {
    await using engine = await realEngine(name, story);
    const lines = await runOnce(engine, commandLines[name](engine.modelName));
    expect(JSON.stringify(lines)).toContain("All is done.");
    expect(readFileSync(join(engine.folder, "hello.txt"), "utf8")).toBe("hello\n");
    expect(readFileSync(join(engine.folder, "answer.txt"), "utf8")).toBe("42\n");

    const [first, second, third, ...more] = engine.model.rounds;
    expect(more).toEqual([]);
    expect(JSON.stringify(first?.body)).toContain(prompt);
    expect(JSON.stringify(second?.body)).toContain("First the file.");
    // What the command printed is nowhere in the script: it can only come from a command that ran.
    expect(JSON.stringify(second?.body)).not.toMatch(/\b42\b/u);
    expect(third?.news).toMatch(/\b42\b/u);
    keepRecording(`${name}/one-shot`, engine, lines);
  });
});

/** What it printed. It has to end well, and in time. */
async function runOnce(engine: RealEngine, args: string[]): Promise<Line[]> {
  await using program = new LineProgram(engine, args);
  program.closeStdin();
  const late = setTimeout(() => program.kill("SIGKILL"), limitMs);
  const ended = await program.ended;
  clearTimeout(late);
  expect({ ...ended, stderr: ended.code === 0 ? "" : program.stderr }).toEqual({ code: 0, signal: null, stderr: "" });
  return program.lines;
}
