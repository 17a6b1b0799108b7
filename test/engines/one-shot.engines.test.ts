import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askedEngines } from "./asked-engines.ts";
import { runOnce } from "./one-shot.ts";
import { realEngine } from "./real-engine.ts";
import { keepRecording } from "./recording.ts";
import type { Script } from "./model/script.ts";

const prompt = "do what the script says";

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
    const lines = await runOnce(name, engine, prompt);
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
