import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { longestInlineBytes } from "../../contract/run-fields.ts";
import { longestLine } from "../../engine/line-splitter.ts";
import { noise } from "../../redact/fixtures/planted.ts";
import {
  goodResult,
  perform,
  performTurns,
  printed,
  secretValue,
  shellEngine,
  type Circumstances,
  type Performance,
} from "./perform.fixture.ts";

let place: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "clew-agent-")));
  return () => rmSync(place, { recursive: true });
});

const performScript = (turns: object[], given: Circumstances = {}): Promise<Performance> =>
  performTurns(place, turns, given);

describe("W4 the stream on its way into the run", () => {
  test("D7 secrets reach neither the log, nor the transcript, nor the result", async () => {
    const token = `ghp_${noise(36)}`;
    const password = noise(12, "word", 11);
    writeFileSync(join(place, "secret.txt"), `token: ${token}\nvalue ${secretValue}\n`);
    const done = await performScript([
      { say: `it is ${token}`, run: "cat secret.txt", tool: { name: "Log-in", input: { password } } },
      { result: { success: true, summary: `found ${token}`, outputs: { list: [secretValue] } } },
    ]);
    const all = JSON.stringify(done);
    for (const secret of [token, secretValue, password]) expect(all).not.toContain(secret);
    expect(done.result).toMatchObject({
      success: true,
      summary: "found [redacted:github-token]",
      outputs: { list: ["[redacted:value]"] },
    });
  });

  test("D7 secrets on stderr, also in two pieces", async () => {
    const { notes, result } = await perform(place, [
      shellEngine(
        `printf 'a ${secretValue.slice(0, 9)}' >&2; sleep 0.05; printf '${secretValue.slice(9)} b' >&2; exit 1`,
      ),
    ]);
    expect(notes.at(-1)).toEqual({ type: "step.output", stream: "stderr", text: "a [redacted:value] b" });
    expect(result.error).toBe("the engine ended without a result (exit code 1): a [redacted:value] b");
  });

  test("W4 lines in pieces, letters in pieces, garbage between, no newline at the end", async () => {
    const message = printed({ type: "assistant", message: { content: [{ type: "text", text: "grün" }] } });
    const { result, notes } = await perform(place, [
      shellEngine(
        `${message} | head -c 60; sleep 0.05; ${message} | tail -c +61; printf '\\377\\0 garbage\\n[]\\n'; ` +
          `${message} | head -c 75; sleep 0.05; ${message} | tail -c +76; ${goodResult} | tr -d '\\n'`,
      ),
    ]);
    expect(result.success).toBe(true);
    const greeting = { type: "agent.message", text: "grün" };
    expect(notes.filter(({ type }) => type !== "step.process" && type !== "agent.usage")).toEqual([greeting, greeting]);
  });

  test("G15 long texts are cut in the log, and say so; the transcript has them whole", async () => {
    const run = `head -c 300000 /dev/zero | tr '\\0' x`;
    const { notes, transcript, result } = await performScript([
      { say: "ü".repeat(50_000), run, write: { path: "long.txt", content: "y".repeat(100_000) } },
      { result: { success: true, summary: "z".repeat(100_000) } },
    ]);
    const long = notes.filter((note) => JSON.stringify(note).includes("[cut here: "));
    expect(long.map(({ type }) => type)).toEqual(["agent.message", "agent.tool_call", "agent.tool_result"]);
    for (const note of long) expect(Buffer.byteLength(JSON.stringify(note))).toBeLessThan(longestInlineBytes + 500);
    expect(transcript.length).toBeGreaterThan(500_000);
    expect(result.summary).toHaveLength(100_000);
  });

  test("G15 no more than 64 KiB of stderr are kept", async () => {
    const { notes, result } = await perform(place, [
      shellEngine("head -c 200000 /dev/zero | tr '\\0' e >&2; echo the end >&2; exit 1"),
    ]);
    const texts = notes.flatMap((note) => (note.type === "step.output" ? [note.text] : []));
    expect(texts.join("").length).toBeLessThan(longestInlineBytes + 200);
    expect(texts.join("")).toMatch(/e\n\[cut here: no more is kept\]$/);
    expect(result.error).toMatch(/: …e+the end$/);
  });

  test("W4 a line that is too long is kept whole, told, and harms nothing else", async () => {
    const { result, notes, transcript } = await perform(place, [
      shellEngine(`head -c ${longestLine + 1} /dev/zero | tr '\\0' x; echo; ${goodResult}`),
    ]);
    expect(result.success).toBe(true);
    expect(notes).toContainEqual({
      type: "agent.error",
      message: `it printed a line of ${longestLine + 1} characters; its transcript has it whole`,
    });
    expect(transcript.indexOf("\n")).toBe(longestLine + 1);
  });

  test("H9 where no answer can reach the agent it is stopped, and the result has what it asked for", async () => {
    const { result } = await performScript([
      { ask: { tool: "Bash", input: { command: "rm /roof" } }, run: "touch gone" },
      { result: { success: true, summary: "done without" } },
    ]);
    expect(result).toMatchObject({
      success: false,
      error: "its agent asks whether it may use Bash: rm /roof; it was stopped, and goes on with your answer",
      permission: { tool: "Bash", input: { command: "rm /roof" }, engine_session: expect.any(String) as string },
    });
    expect(readdirSync(place)).not.toContain("gone");
  });

  test("H9 what goes beyond the level and is denied is not done, and the agent goes on", async () => {
    const requests: string[] = [];
    const { notes, result } = await performScript(
      [
        { ask: { tool: "Bash", input: { command: "ls roof" } }, run: "touch seen" },
        { ask: { tool: "Bash", input: { command: "rm /roof" } }, run: "touch gone" },
        { result: { success: true, summary: "done without" } },
      ],
      {
        permissions: {
          open(request, onAnswer) {
            requests.push(JSON.stringify(request.input));
            onAnswer("reject_once");
          },
          close: () => expect.unreachable(),
        },
      },
    );
    expect(result).toMatchObject({ success: true, summary: "done without" });
    expect(requests).toEqual(['{"command":"rm /roof"}']);
    const output = "It was not allowed.";
    expect(notes).toContainEqual(expect.objectContaining({ type: "agent.tool_result", output, failed: true }));
    expect(readdirSync(place)).toContain("seen");
    expect(readdirSync(place)).not.toContain("gone");
  });

  test("G16 an engine that cannot go on in its session begins anew, and the log says so", async () => {
    const forgetful = shellEngine(`test -e resumed && { ${goodResult}; exit; }; touch resumed; echo lost >&2; exit 1`);
    const { notes, result } = await perform(place, [forgetful], { cutOff: { engineSession: "s-1" } });
    expect(result).toMatchObject({ success: true });
    const messages = notes.flatMap((note) => (note.type === "step.note" ? [note.message] : []));
    expect(messages).toEqual([
      "goes on in shell's own session s-1",
      expect.stringMatching(/^began anew: shell could not go on in its session s-1 \(.*lost/s),
    ]);
  });

  test("G16 an engine that cannot resume begins anew at once", async () => {
    const engine = shellEngine(goodResult);
    const unable = { ...engine, abilities: { ...engine.abilities, resume: false } };
    const { notes } = await perform(place, [unable], { cutOff: { engineSession: "s-1" } });
    expect(notes).toContainEqual({ type: "step.note", message: "begins anew: shell cannot go on in a session" });
    const told = await perform(place, [engine], { cutOff: {} });
    const message = "begins anew: shell had told no session to go on in";
    expect(told.notes).toContainEqual({ type: "step.note", message });
  });
});
