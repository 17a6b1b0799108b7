import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { askedEngines } from "./asked-engines.ts";
import { realEngine } from "./real-engine.ts";
import type { EngineName } from "../../tools/engines/programs.mjs";
import type { Script } from "./model/script.ts";
import type { RealEngine } from "./real-engine.ts";

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
    expect(lines.join("\n")).toContain("All is done.");
    expect(readFileSync(join(engine.folder, "hello.txt"), "utf8")).toBe("hello\n");
    expect(readFileSync(join(engine.folder, "answer.txt"), "utf8")).toBe("42\n");

    const [first, second, third, ...more] = engine.model.rounds;
    expect(more).toEqual([]);
    expect(JSON.stringify(first?.body)).toContain(prompt);
    expect(JSON.stringify(second?.body)).toContain("First the file.");
    // What the command printed is nowhere in the script: it can only come from a command that ran.
    expect(JSON.stringify(second?.body)).not.toMatch(/\b42\b/u);
    expect(third?.news).toMatch(/\b42\b/u);
  });
});

/** The lines on its stdout. Throws with all that it said when it does not end well within a minute. */
async function runOnce({ program, env, folder }: RealEngine, args: string[]): Promise<string[]> {
  const running = promisify(execFile)(program, args, { cwd: folder, env, timeout: 60_000, killSignal: "SIGKILL" });
  running.child.stdin?.end();
  const { stdout } = await running;
  return stdout.trimEnd().split("\n");
}
