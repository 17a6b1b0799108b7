import { expect, test } from "vitest";
import { describeEngines } from "./asked-engines.ts";
import { LineProgram } from "./line-program.ts";
import { commandStarts, filesIn, liveStory, prompts, wakeCommand } from "./live-story.ts";
import { isObject } from "./model/wire.ts";
import { realEngine } from "./real-engine.ts";
import { keepRecording } from "./recording.ts";
import type { Json } from "./model/wire.ts";
import type { RealEngine } from "./real-engine.ts";

type Speaker = "claude" | "qwen";
type Level = "ask" | "all";

const commandLines: Record<Speaker, (level: Level) => string> = {
  claude: (level) =>
    "-p --output-format stream-json --verbose --input-format stream-json --permission-prompt-tool stdio " +
    `--include-partial-messages --permission-mode ${level === "ask" ? "default" : "bypassPermissions"}`,
  qwen: (level) =>
    "--input-format stream-json -o stream-json --include-partial-messages " +
    `--approval-mode ${level === "ask" ? "default" : "yolo"}`,
};

describeEngines(Object.keys(commandLines) as Speaker[], "the control protocol of the real", (name) => {
  test("H9 a tool that is asked for and allowed runs", async () => {
    await using engine = await realEngine(name, liveStory);
    await using program = await start(name, engine, "ask");
    say(program, prompts.work);
    for (let ask = 0; ask < 2; ask++) {
      await answer(program, (input) => ({ behavior: "allow", updatedInput: input }));
    }
    expect(await program.next(isResult)).toMatchObject({ subtype: "success", is_error: false, result: "All is done." });
    await end(program);
    expect(filesIn(engine.folder)).toEqual({ hello: true, answer: true });
    expect(engine.model.rounds[2]?.news).toMatch(/\b42\b/u);
    keepRecording(`${name}/live-allowed`, engine, program.lines);
  });

  test("H9 a tool that is denied does not run, and the model hears why", async () => {
    await using engine = await realEngine(name, liveStory);
    await using program = await start(name, engine, "ask");
    say(program, prompts.work);
    for (let ask = 0; ask < 2; ask++) {
      await answer(program, () => ({ behavior: "deny", message: "not in this folder" }));
    }
    expect(await program.next(isResult)).toMatchObject({ subtype: "success", is_error: false });
    await end(program);
    expect(filesIn(engine.folder)).toEqual({ hello: false, answer: false });
    expect(engine.model.rounds[1]?.news).toContain("not in this folder");
    keepRecording(`${name}/live-denied`, engine, program.lines);
  });

  test("H9 an interrupt ends the command, and the session goes on", async () => {
    await using engine = await realEngine(name, liveStory);
    await using program = await start(name, engine, "all");
    say(program, prompts.wait);
    await commandStarts(engine.folder);
    program.send({ type: "control_request", request_id: "stop-1", request: { subtype: "interrupt" } });
    expect(await program.next(isResult)).toMatchObject({ subtype: "error_during_execution", is_error: true });
    expect(await wakeCommand(engine.folder)).toBe(false);
    say(program, prompts.goOn);
    expect(await program.next(isResult)).toMatchObject({ result: "I heard the second message." });
    await end(program);
    keepRecording(`${name}/live-interrupted`, engine, program.lines);
  });

  test("H9 a further message joins the turn of claude, and is a turn of its own in qwen", async () => {
    await using engine = await realEngine(name, liveStory);
    await using program = await start(name, engine, "all");
    say(program, prompts.wait);
    await commandStarts(engine.folder);
    say(program, prompts.goOn);
    expect(await wakeCommand(engine.folder)).toBe(true);
    await program.next((line) => isResult(line) && line.result === "I heard the second message.");
    await end(program);
    const results = program.lines.filter(({ dir, line }) => dir === "out" && isResult(line));
    expect(results).toHaveLength({ claude: 1, qwen: 2 }[name]);
    keepRecording(`${name}/live-further-message`, engine, program.lines);
  });
});

async function start(name: Speaker, engine: RealEngine, level: Level): Promise<LineProgram> {
  const program = new LineProgram(engine, commandLines[name](level).split(" "));
  // Only Qwen heeds the time; without it, a request is denied after a minute.
  const request = { subtype: "initialize", ...(name === "qwen" && { timeout: { canUseTool: 600_000 } }) };
  program.send({ type: "control_request", request_id: "init-1", request });
  await program.next(({ type }) => type === "control_response");
  return program;
}

function say(program: LineProgram, text: string): void {
  program.send({ type: "user", message: { role: "user", content: [{ type: "text", text }] } });
}

async function answer(program: LineProgram, decide: (input: unknown) => Json): Promise<void> {
  const asked = await program.next(
    ({ type, request }) => type === "control_request" && isObject(request) && request.subtype === "can_use_tool",
  );
  const response = decide((asked.request as Json).input);
  program.send({ type: "control_response", response: { subtype: "success", request_id: asked.request_id, response } });
}

async function end(program: LineProgram): Promise<void> {
  program.closeStdin();
  expect(await program.ended).toEqual({ code: 0, signal: null });
}

function isResult({ type }: Json): boolean {
  return type === "result";
}
