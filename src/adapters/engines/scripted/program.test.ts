import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { EngineEvent } from "../../../contract/engine.ts";
import { createClaudeReader } from "../../../engine/claude/stream.ts";
import { withResultInstructions } from "../../../engine/result-instructions.ts";
import { scriptedProgram } from "../perform.fixture.ts";

let place: string;
/** The working folder; scripts stand beside it. */
let work: string;

beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), "clew-play-")));
  work = join(place, "work");
  mkdirSync(work);
  return () => rmSync(place, { recursive: true });
});

interface Played {
  code: number | null;
  lines: Record<string, unknown>[];
  events: EngineEvent[];
  stderr: string;
}

/** What the engine reads on stdin. */
const message = (text: string): string =>
  `${JSON.stringify({ type: "user", message: { role: "user", content: [{ type: "text", text }] } })}\n`;

/** Plays a script to its end. */
function play(script: string | object[], prompt = "", args: string[] = []): Played {
  const file = join(place, typeof script === "string" ? "script.yaml" : "script.json");
  writeFileSync(file, typeof script === "string" ? script : JSON.stringify({ turns: script }));
  const { status, stdout, stderr } = spawnSync(process.execPath, [scriptedProgram, ...args, file], {
    cwd: work,
    input: message(prompt),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const texts = stdout.split("\n").filter((line) => line !== "");
  const reader = createClaudeReader();
  return {
    code: status,
    lines: texts.map((line) => JSON.parse(line) as Record<string, unknown>),
    events: [...texts.flatMap((line) => reader.push(line)), ...reader.end()],
    stderr,
  };
}

const done = { result: { success: true, summary: "done" } };
const outputs = (played: Played): [string, boolean][] =>
  played.events.flatMap((event) => (event.type === "tool_result" ? [[event.output, event.failed]] : []));

describe("W2 the scripted engine", () => {
  test("W2 a turn of everything, from YAML: thinks, says, writes, runs, uses a tool, ends", () => {
    const played = play(
      `
turns:
  - think: first the file
    say: I will write it
    write: {path: notes/a.txt, content: "one\\n"}
    run: cat notes/a.txt; echo two >&2
    tool: {name: Search, input: {query: x}, result: {hits: 2}}
    usage: {input: 100, output: 20}
    delay_ms: 1
  - say: and that is it
    usage: {input: 30, output: 5}
    result: {success: true, summary: all done, outputs: {files: [notes/a.txt]}}
  - say: never said
`,
      "",
      ["--model", "acting-1"],
    );
    expect(played.code).toBe(0);
    expect(played.stderr).toBe("");
    expect(readFileSync(join(work, "notes/a.txt"), "utf8")).toBe("one\n");
    const id = expect.any(String) as string;
    const first = { message_id: id };
    expect(played.events).toEqual([
      { type: "init", engine_session: id, model: "acting-1" },
      { type: "thinking", text: "first the file", ...first },
      { type: "usage", of: "message", model: "acting-1", input_tokens: 100, output_tokens: 20, ...first },
      { type: "message", text: "I will write it", ...first },
      { type: "tool_call", id, name: "Write", input: { file_path: "notes/a.txt", content: "one\n" }, ...first },
      { type: "tool_result", id, output: "wrote 4 bytes to notes/a.txt", failed: false },
      { type: "tool_call", id, name: "Bash", input: { command: "cat notes/a.txt; echo two >&2" }, ...first },
      { type: "tool_result", id, output: "one\ntwo\n", failed: false, exit_code: 0 },
      { type: "tool_call", id, name: "Search", input: { query: "x" }, ...first },
      { type: "tool_result", id, output: '{"hits":2}', failed: false },
      { type: "message", text: "and that is it", ...first },
      { type: "usage", of: "message", model: "acting-1", input_tokens: 30, output_tokens: 5, ...first },
      { type: "usage", of: "session", input_tokens: 130, output_tokens: 25 },
      {
        type: "result",
        failed: false,
        text: "all done",
        structured: { success: true, summary: "all done", outputs: { files: ["notes/a.txt"] } },
        denied: [],
      },
    ]);
    expect(played.lines[0]).toMatchObject({ type: "system", subtype: "init", cwd: work, tools: ["Write", "Bash"] });
    const end = { type: "result", subtype: "success", is_error: false, num_turns: 2, result: "all done" };
    expect(played.lines.at(-1)).toMatchObject(end);
    expect(new Set(played.lines.map((line) => line.session_id)).size).toBe(1);
  });

  test("W2 plays every turn whose text the prompt holds or that asks for none, in order", () => {
    const turns = [{ when: "iteration 2", say: "again" }, { say: "always" }, { when: "elsewhere", ...done }, done];
    const said = (prompt: string): string[] =>
      play(turns, prompt).events.flatMap((event) => (event.type === "message" ? [event.text] : []));
    expect(said("This is iteration 2.")).toEqual(["again", "always"]);
    expect(said("This is iteration 1.")).toEqual(["always"]);
  });

  test("W2 `when` is looked for in the prompt, not in what Clew adds to it", () => {
    const turns = [{ when: "summary", fail: "wrong turn" }, done];
    expect(play(turns, withResultInstructions("Mend the roof.")).code).toBe(0);
    expect(play(turns, withResultInstructions("Write a summary.")).code).toBe(1);
  });

  test("W2 no turn to play is an error", () => {
    for (const turns of [[], [{ when: "this", ...done }]]) {
      const played = play(turns, "that");
      expect(played.code).toBe(1);
      expect(played.stderr).toBe("scripted: no turn of the script fits the prompt\n");
      expect(played.events.at(-1)).toMatchObject({ failed: true, text: "no turn of the script fits the prompt" });
    }
  });

  test("W2 fail ends with an error", () => {
    const played = play([{ say: "oh" }, { fail: "the model is away" }, done]);
    expect(played.code).toBe(1);
    expect(played.stderr).toBe("scripted: the model is away\n");
    expect(played.events.at(-1)).toEqual({ type: "result", failed: true, text: "the model is away", denied: [] });
  });

  test("W2 without a result the last words are the result; what an agent claims is played as it stands", () => {
    expect(play([{ say: "one" }, { run: "true" }]).events.at(-1)).toMatchObject({ failed: false, text: "one" });
    const result = { success: "perhaps" };
    expect(play([{ result }]).events.at(-1)).toMatchObject({ failed: false, text: "", structured: result });
  });
});

describe("W2 the scripted engine's tools", () => {
  test("W2 nothing is written outside the working folder: no path, no link leads there", () => {
    symlinkSync(place, join(work, "out"));
    symlinkSync(join(place, "new.txt"), join(work, "dangling"));
    writeFileSync(join(work, "plain"), "");
    const paths = [
      "../new.txt",
      join(place, "new.txt"),
      "out/new.txt",
      "out/sub/new.txt",
      "dangling",
      "plain/x",
      "a\0b",
    ];
    const played = play([...paths.map((path) => ({ write: { path, content: "x" } })), done]);
    expect(played.code).toBe(0);
    expect(outputs(played).map(([, failed]) => failed)).toEqual(paths.map(() => true));
    expect(outputs(played)[0]![0]).toBe("refused: ../new.txt leads out of the working folder");
    expect(existsSync(join(place, "new.txt"))).toBe(false);
    expect(existsSync(join(place, "sub"))).toBe(false);
  });

  test("W2 links inside, absolute paths inside and new folders are fine", () => {
    mkdirSync(join(work, "real"));
    symlinkSync(join(work, "real"), join(work, "link"));
    const paths = ["link/a.txt", join(work, "b.txt"), "new/er/c.txt", "new/../d.txt"];
    expect(
      outputs(play([...paths.map((path) => ({ write: { path, content: "x" } })), done])).map(([, failed]) => failed),
    ).toEqual(paths.map(() => false));
    for (const path of ["real/a.txt", "b.txt", "new/er/c.txt", "d.txt"]) {
      expect(readFileSync(join(work, path), "utf8")).toBe("x");
    }
  });

  test("W2 a command that fails is a failed tool result, and the play goes on", () => {
    const played = play([{ run: "echo before; exit 3" }, { run: "kill -9 $$" }, { run: "nowhere-to-be-found" }, done]);
    expect(outputs(played).slice(0, 2)).toEqual([
      ["Exit code 3\nbefore\n", true],
      ["Ended by SIGKILL\n", true],
    ]);
    expect(outputs(played)[2]).toEqual([expect.stringMatching(/^Exit code 127\n/), true]);
    expect(played.code).toBe(0);
  });

  test("W2 a command's stdin is empty, and what it leaves behind keeps nobody", () => {
    const played = play([{ run: "cat; sleep 30 & echo $!" }, done], "the prompt");
    const [pid] = outputs(played)[0]!;
    expect(pid).toMatch(/^\d+\n$/);
    process.kill(Number(pid));
  });

  test("W2 huge outputs pass, up to a limit that is told", () => {
    const [output] = outputs(play([{ run: "head -c 9000000 /dev/zero | tr '\\0' x" }, done]))[0]!;
    expect(output.length).toBeGreaterThan(8 * 1024 * 1024);
    expect(output).toMatch(/x\n\[cut here: 611392 more bytes\]$/);
  });
});

describe("W2 scripts that cannot be played", () => {
  const refusal = (script: string): string => {
    const played = play(script);
    expect(played.code).toBe(1);
    expect(played.lines).toEqual([]);
    return played.stderr;
  };

  test("W2 everything that is wrong is told with its place", () => {
    const stderr = refusal(`
turns:
  - sya: hello
    usage: {input: -1}
  - 5
  - {write: {path: "", contents: a}, result: 3, delay_ms: 1.5}
  - {result: {}, fail: both}
  - {ask: {tool: "", inputs: {}}}
extra: 1
`);
    for (const words of [
      "script.yaml: ",
      "turns[0]: knows no sya (did you mean say?)",
      "turns[0].usage.input: must be a number of tokens",
      "turns[0].usage.output: must be a number of tokens",
      "turns[1]: must be a mapping",
      "turns[2].write.path: must not be empty",
      "turns[2].write: knows no contents (did you mean content?)",
      "turns[2].result: must be a mapping with success and summary",
      "turns[2].delay_ms: must be milliseconds",
      "turns[3]: ends with result or with fail, not with both",
      "turns[4].ask.tool: must not be empty",
      "turns[4].ask: knows no inputs (did you mean input?)",
      "the script: knows no extra",
    ]) {
      expect(stderr).toContain(words);
    }
  });

  test("W2 what is no script at all", () => {
    expect(refusal("turns: [")).toMatch(/^scripted: .*script\.yaml: line 1, column 9: a list in \[\] is never closed/);
    expect(refusal("")).toContain("the script: must be a mapping with turns");
    expect(refusal("turns: {}")).toContain("turns: must be a list of turns");
    const { status, stderr } = spawnSync(process.execPath, [scriptedProgram, join(place, "none.yaml")], {
      input: "",
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/none\.yaml: ENOENT/)]);
    expect(spawnSync(process.execPath, [scriptedProgram], { input: "" }).status).toBe(1);
  });
});

test("W2 each line is out before the next thing happens", async () => {
  const file = join(place, "script.json");
  writeFileSync(file, JSON.stringify({ turns: [{ say: "soon", delay_ms: 60_000 }, done] }));
  const child = spawn(process.execPath, [scriptedProgram, file], { cwd: work, stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.end(message("go"));
  const exited = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
  let printed = "";
  for await (const piece of child.stdout) {
    printed += String(piece);
    if (printed.includes('"soon"')) child.kill("SIGTERM");
  }
  expect(await exited).toBe("SIGTERM");
  expect(printed.trimEnd().split("\n")).toHaveLength(2);
});
