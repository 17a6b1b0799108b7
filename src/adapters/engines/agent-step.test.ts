import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { Engine, EngineStart } from "./engine.ts";
import {
  goodResult,
  perform,
  performTurns,
  printed,
  scripted,
  shellEngine,
  stepSign,
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

describe("G9 agent steps", () => {
  test("G9 G15 a scripted agent succeeds; all that it did is in the log as it came", async () => {
    const { result, notes, transcript } = await performScript(
      [
        {
          think: "hm",
          say: "I run it",
          run: "echo $CLEW_RUN $CLEW_STEP $CLEW_SESSION",
          usage: { input: 10, output: 2 },
        },
        { result: { success: true, summary: "mended", outputs: { tiles: 3 } }, usage: { input: 5, output: 1 } },
      ],
      { input: { model: "acting-1" }, session: "2026-11-16-roof" },
    );
    expect(result).toEqual({
      success: true,
      output: { success: true, summary: "mended", outputs: { tiles: 3 } },
      summary: "mended",
      outputs: { tiles: 3 },
      usage: { input_tokens: 15, output_tokens: 3 },
      rounds: 2,
      exit_code: 0,
    });
    const id = expect.any(String) as string;
    expect(notes).toEqual([
      { type: "step.process", pid: expect.any(Number) as number, started: id, boot: id, mark: stepSign },
      { type: "agent.init", engine: "scripted", engine_session: id, model: "acting-1" },
      { type: "agent.thinking", text: "hm" },
      { type: "agent.usage", input_tokens: 10, output_tokens: 2, rounds: 1 },
      { type: "agent.message", text: "I run it" },
      { type: "agent.tool_call", id, name: "Bash", input: { command: "echo $CLEW_RUN $CLEW_STEP $CLEW_SESSION" } },
      {
        type: "agent.tool_result",
        id,
        name: "Bash",
        output: "run-1 loop[2]/mend#1 2026-11-16-roof\n",
        failed: false,
        exit_code: 0,
        duration_ms: 7,
      },
      { type: "agent.usage", input_tokens: 15, output_tokens: 3, rounds: 2 },
    ]);
    const lines = transcript.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { type: string }).type)).toEqual([
      "system",
      "assistant",
      "assistant",
      "assistant",
      "user",
      "assistant",
      "result",
    ]);
  });

  test("W4 the transcript is the user's alone, named by engine, time and step", async () => {
    await perform(place, [shellEngine(`echo 'stray text'; ${goodResult}`)]);
    const folder = join(place, "transcripts/run-1");
    expect(readdirSync(folder)).toEqual(["shell-2026-11-16T050000.000Z-loop-2-mend-1.jsonl"]);
    const file = join(folder, readdirSync(folder)[0]!);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8")).toMatch(/^stray text\n\{"type":"result".*\}\n$/);
  });

  test("W8 the engine gets the prompt with how to finish, its own variables, and no other run's session", async () => {
    const { notes } = await perform(place, [
      shellEngine(`head -n 1 >prompt; echo "[$OWN] [$CLEW_SESSION]" >&2; ${goodResult}`),
    ]);
    const message = JSON.parse(readFileSync(join(place, "prompt"), "utf8")) as {
      message: { content: [{ text: string }] };
    };
    expect(message.message.content[0].text).toMatch(/^Mend the roof\.\n\n---\nTo finish, .*one JSON object/);
    expect(notes).toContainEqual({ type: "step.output", stream: "stderr", text: "[of the engine] []\n" });
  });

  test("G9 an agent that says that it failed fails the step, with its words", async () => {
    const { result } = await performScript([{ result: { success: false, summary: "no tiles left" } }]);
    expect(result).toMatchObject({
      success: false,
      output: { success: false, summary: "no tiles left" },
      summary: "no tiles left",
      error: "the agent could not do it: no tiles left",
      exit_code: 0,
    });
  });

  test.each([
    [[{ fail: "the model is away" }], "the engine said: the model is away"],
    [[{ when: "another prompt" }], "the engine said: no turn of the script fits the prompt"],
    [[{ result: { success: true } }], "its result has no summary"],
    [[{ say: "All done!" }], "its result is not the JSON object that was asked for, but: All done!"],
    [[{ sya: "x" }], /ended without a result \(exit code 1\): scripted: .*script\.json: turns\[0\]: knows no sya/],
  ])("G9 fails the step: %j", async (turns, words) => {
    const { result } = await performScript(turns);
    const said = turns.flatMap((turn) => ("say" in turn ? turn.say : [])).at(-1) ?? null;
    expect(result).toMatchObject({ success: false, output: said });
    expect(result.error).toMatch(words);
  });

  test("G9 an engine that ends without a result fails the step, also with exit code 0", async () => {
    const { result, notes } = await perform(place, [shellEngine("echo 'Please log in.'; echo '{torn'; exit 0")]);
    expect(result).toMatchObject({ success: false, output: null, exit_code: 0 });
    const words = "it printed what is no event: Please log in. / {torn";
    expect(result.error).toBe(`the engine ended without a result (exit code 0): ${words}: it needs no log-in`);
    expect(notes.at(-1)).toEqual({ type: "agent.error", message: words });
  });

  test("G9 an engine that is killed on the way fails the step, and what it used is kept", async () => {
    const message = {
      id: "m",
      usage: { input_tokens: 9, output_tokens: 1 },
      content: [{ type: "text", text: "hello" }],
    };
    const { result } = await perform(place, [shellEngine(`${printed({ type: "assistant", message })}; kill -9 $$`)]);
    expect(result).toEqual({
      success: false,
      output: "hello",
      error: "the engine ended without a result (ended by SIGKILL); it was last seen at: hello",
      usage: { input_tokens: 9, output_tokens: 1 },
      rounds: 1,
    });
  });

  test("W2 engines that are not there: unknown, without a script, without a program", async () => {
    const shell = shellEngine("");
    const missing: Engine = {
      ...shell,
      start: (request) => ({ ...(shell.start(request) as EngineStart), command: ["no-such-engine"] }),
    };
    const errors = [
      await failWith([scripted], { input: { engine: "clod" } }),
      await failWith([scripted, missing], { input: { engine: "clod" } }),
      await failWith([scripted], { script: null }),
      await failWith([missing], {}),
    ];
    expect(errors.slice(0, 3)).toEqual([
      "there is no engine clod; known: scripted",
      "there is no engine clod; known: scripted, shell",
      "the engine scripted has no script to play: set CLEW_SCRIPT=FILE or engines.scripted.script",
    ]);
    expect(errors[3]).toMatch(/^the engine could not be started: no-such-engine is not installed/);
  });

  async function failWith(engines: Engine[], given: Circumstances): Promise<string | undefined> {
    const { result } = await perform(place, engines, given);
    expect(result).toMatchObject({ success: false, output: null });
    return result.error;
  }
});

describe("G10 agent steps that are ended", () => {
  test.each([
    ["timeout", "its time was over"],
    ["cancelled", "the run was cancelled"],
    ["interrupted", "clew was interrupted"],
  ] as const)("G10 %s: the engine ends, and the step says why", async (reason, words) => {
    const { result, notes } = await performScript([{ say: "so much to do", delay_ms: 60_000 }, { run: "touch late" }], {
      endAt: { type: "agent.message", reason },
    });
    expect(result).toEqual({
      success: false,
      output: "so much to do",
      error: `the engine was ended because ${words}`,
      usage: { input_tokens: 0, output_tokens: 0 },
      rounds: 1,
    });
    const child = notes.find((note) => note.type === "step.process")!;
    expect(() => process.kill(child.pid, 0)).toThrow("ESRCH");
    expect(readdirSync(place)).not.toContain("late");
  });

  test("G10 the process is in the log before the engine does anything", async () => {
    const { result, notes } = await perform(place, [shellEngine("touch begun")], {
      endAt: { type: "step.process", reason: "cancelled" },
    });
    expect(result.success).toBe(false);
    expect(notes.map(({ type }) => type)).toEqual(["step.process"]);
    expect(readdirSync(place)).not.toContain("begun");
  });

  test("G16 a log that cannot be written ends the engine, and is a fault, not a result", async () => {
    const fault = new Error("no room on disk");
    let pid = 0;
    const work = performScript([{ say: "hello", delay_ms: 60_000 }], {
      onLog(note) {
        if (note.type === "step.process") ({ pid } = note);
        if (note.type === "agent.message") throw fault;
      },
    });
    await expect(work).rejects.toBe(fault);
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
  });
});
