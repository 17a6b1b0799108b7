import { expect } from "vitest";
import { LineProgram } from "./line-program.ts";
import type { EngineName } from "../../tools/engines/programs.mjs";
import type { Line } from "./line-program.ts";
import type { RealEngine } from "./real-engine.ts";

/** Under load, the slowest needs half a minute. */
const limitMs = 90_000;

/** Each may do everything, because no person is there to ask. */
const commandLines: Record<EngineName, (prompt: string, model: string) => string[]> = {
  claude: (prompt) => [
    ..."-p --output-format stream-json --verbose --permission-mode bypassPermissions --".split(" "),
    prompt,
  ],
  codex: (prompt) => ["exec", "--json", "--sandbox", "danger-full-access", "--", prompt],
  gemini: (prompt, model) => ["-o", "stream-json", "-m", model, "--approval-mode", "yolo", "-p", prompt],
  qwen: (prompt) => ["-o", "stream-json", "--approval-mode", "yolo", prompt],
  opencode: (prompt) => ["run", "--format", "json", "--auto", prompt],
};

type Program = Pick<RealEngine, "program" | "env" | "folder" | "modelName">;

/** Runs an engine without Clew, on one prompt; `options` stand behind its first word. Returns what it printed. It has to end well, and in time. */
export async function runOnce(
  name: EngineName,
  engine: Program,
  prompt: string,
  options: readonly string[] = [],
): Promise<Line[]> {
  const [first = "", ...words] = commandLines[name](prompt, engine.modelName);
  await using program = new LineProgram(engine, [first, ...options, ...words]);
  program.closeStdin();
  const late = setTimeout(() => program.kill("SIGKILL"), limitMs);
  const ended = await program.ended;
  clearTimeout(late);
  expect({ ...ended, stderr: ended.code === 0 ? "" : program.stderr }).toEqual({ code: 0, signal: null, stderr: "" });
  return program.lines;
}
