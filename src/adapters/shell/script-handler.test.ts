import { readdirSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { longestInlineBytes } from "../../contract/run-fields.ts";
import type { WorkNote } from "../../contract/run-journal.ts";
import type { StepResult } from "../../contract/run.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { ScriptInput } from "../../contract/step-input.ts";
import { createRedactor } from "../../redact/redactor.ts";
import { inFolder, isAlive, marked, newMark } from "./children.fixture.ts";
import { scriptHandler, type ScriptParts } from "./script-handler.ts";

interface Done {
  result: StepResult;
  notes: WorkNote[];
  mark: string;
}

interface Options {
  input?: Partial<ScriptInput>;
  env?: Record<string, string | undefined>;
  signal?: AbortSignal;
  onNote?: (note: WorkNote) => void;
  parts?: Partial<ScriptParts>;
}

const secret = ["s3cr3t", "w0rd", "0123456789"].join("-");
const redactor = createRedactor({ extraValues: [secret] });

/** Performs a script step and looks that its folder is gone, however it went. */
async function perform(script: string, { input, env, signal, onNote, parts }: Options = {}): Promise<Done> {
  return inFolder(async (root) => {
    const tempFolder = join(root, "temp");
    const folder = join(root, "work tree");
    mkdirSync(tempFolder);
    mkdirSync(folder);
    const mark = newMark();
    const notes: WorkNote[] = [];
    const handler = scriptHandler({
      redactor,
      env: env ?? process.env,
      tempFolder,
      newMark: () => mark,
      graceMs: 300,
      ...parts,
    });
    const task = { path: "loop[2]/test", attempt: 3, timeout_ms: 1, within: [], warnings: [] };
    try {
      const result = await handler(
        { ...task, input: { kind: "script", shell: "sh", script, values: {}, ...input } },
        {
          runId: "run-1",
          pinned: { folder } as PinnedRun,
          signal: signal ?? new AbortController().signal,
          logNow: () => Promise.reject(new Error("nothing here has to wait for the disk")),
          landing: undefined,
          verification: undefined,
          log(note) {
            notes.push(note);
            onNote?.(note);
          },
        },
      );
      return { result, notes, mark };
    } finally {
      expect(readdirSync(tempFolder)).toEqual([]);
      expect(marked(mark)).toEqual([]);
    }
  });
}

const printed = ({ notes }: Done, stream: "stdout" | "stderr"): string =>
  notes.map((note) => (note.type === "step.output" && note.stream === stream ? note.text : "")).join("");

describe("G10 a script step", () => {
  test("G6 gives stdout without its last newline, stderr and the exit code", async () => {
    const done = await perform("echo one; echo two; echo; echo careful >&2");
    expect(done.result).toEqual({ success: true, output: "one\ntwo\n", exit_code: 0, stderr: "careful\n" });
    expect([printed(done, "stdout"), printed(done, "stderr")]).toEqual(["one\ntwo\n\n", "careful\n"]);
    expect((await perform("printf x")).result.output).toBe("x");
    expect((await perform("")).result).toEqual({ success: true, output: "", exit_code: 0, stderr: "" });
  });

  test("G9 fails with words that say why", async () => {
    expect((await perform("exit 3")).result).toMatchObject({ success: false, exit_code: 3, error: "exited with 3" });
    expect((await perform("kill -9 $$")).result).toMatchObject({ exit_code: 137, error: "was ended by SIGKILL" });
    const much = await perform("yes");
    expect(much.result).toMatchObject({ success: false, error: "printed more than 64 MiB" });
    expect(much.result.output).toHaveLength(64 * 1024 * 1024 - 1);
  });

  test("G8 a shell that is not installed is a failure that says so", async () => {
    const { result, notes } = await perform("true", { input: { shell: "bash" }, env: { PATH: "/var/empty" } });
    expect(result).toMatchObject({
      success: false,
      exit_code: 127,
      error: expect.stringMatching(/^bash is not installed/),
    });
    expect(notes).toEqual([]);
  });

  test("G8 runs with the shell that was asked for, in the run's folder, with its names in the environment", async () => {
    const bash = await perform('[[ -n $BASH_VERSION ]] && basename "$PWD"', { input: { shell: "bash" } });
    expect(bash.result.output).toBe("work tree");
    const { result } = await perform('echo "$CLEW_RUN $CLEW_STEP $CLEW_MARK $0"');
    expect(result.output).toMatch(/^run-1 loop\[2\]\/test#3 test-\w+ .*\/clew-step-\w{20}\/script$/);
  });

  test("G8 values are data, however long and whatever they hold", async () => {
    const values = {
      clew_0: "$(touch /nowhere) `id` \"'\\ \n\n",
      clew_1: "",
      clew_2: "ä".repeat(200_000),
      clew_3: " a  b * ",
    };
    const script = 'printf "%s|" "$clew_0" "$clew_1" "$clew_2" "$clew_3"; env | grep -c ^clew_';
    for (const shell of ["sh", "bash"] as const) {
      const { result } = await perform(script, { input: { shell, values } });
      expect(result.output).toBe(`${Object.values(values).join("|")}|0`);
    }
  });

  test("G8 a script may be longer than an argument", async () => {
    const script = `: ${"x".repeat(300_000)}\necho end`;
    expect((await perform(script)).result).toMatchObject({ success: true, output: "end" });
  });

  test("G10 is on record, with its folder, before the folder is made and before it runs", async () => {
    const { notes, mark } = await perform("echo on", { input: { values: { clew_0: "on" } } });
    expect(notes.map(({ type }) => type)).toEqual(["step.process", "step.output"]);
    expect(notes[0]).toMatchObject({ mark, folder: expect.stringMatching(/\/temp\/clew-step-\w{20}$/) });
  });

  test("G10 a log that cannot be written ends it, and is the host's fault", async () => {
    const full = new Error("no room");
    for (const type of ["step.process", "step.output"]) {
      const onNote = (note: WorkNote): void => {
        if (note.type === type) throw full;
      };
      await expect(perform("yes & yes", { onNote })).rejects.toBe(full);
      await expect(perform("echo short", { onNote })).rejects.toBe(full);
    }
  });

  test("G10 a folder that cannot be made is the host's fault", async () => {
    const options = { input: { values: { clew_0: "" } }, parts: { tempFolder: "/no/such/folder" } };
    await expect(perform("true", options)).rejects.toThrow("/no/such/folder");
  });

  test("G10 without values is on record without a folder, and needs none", async () => {
    const { result, notes } = await perform("echo on", { parts: { tempFolder: "/no/such/folder" } });
    expect(result).toMatchObject({ success: true, output: "on" });
    expect(notes[0]).toMatchObject({ type: "step.process" });
    expect(notes[0]).not.toHaveProperty("folder");
  });

  test("G8 is the same script with and without a folder", async () => {
    const script = [
      "echo \"$#|$CLEW_GATE|$1\"; set -- one two; echo \"$@\" 'it''s' \\",
      "  and more; env | grep ^CLEW_GATE; readlink /proc/self/fd/0",
      "for fd in 3 4 5 6 7; do [ -e /proc/$$/fd/$fd ] && echo $fd; done",
      "cat <<EOF\nhere ${HOME:+home}\nEOF",
      "trap 'echo bye' EXIT; no-such-program; set -eu; false; echo never",
    ].join("\n");
    const [own, filed] = [await perform(script), await perform(script, { input: { values: { clew_0: "" } } })];
    expect(own.result).toMatchObject({ success: false, exit_code: 1, output: filed.result.output });
    expect(own.result.output).toMatch(/^0\|\|\none two its and more\n\/dev\/null\nhere home\nbye$/);
    const line = /: (?:line )?(\d+):.*not found/;
    expect(line.exec(own.result.stderr ?? "")?.[1]).toBe(line.exec(filed.result.stderr ?? "")?.[1]);
    const visible = await perform("tr '\\0' ' ' </proc/$$/cmdline; : its own words");
    expect(visible.result.output).not.toContain("its own words");
  });

  test("G10 that is aborted fails with what it had printed", async () => {
    const stop = new AbortController();
    const onNote = (): void => void setTimeout(() => stop.abort("timeout"), 60);
    const { result, notes } = await perform("echo so far; sleep 1000", { signal: stop.signal, onNote });
    expect(result).toMatchObject({ success: false, output: "so far", error: "was stopped", exit_code: 143 });
    expect(notes.flatMap((note) => (note.type === "step.process" ? [note.pid] : [])).filter(isAlive)).toEqual([]);
    expect((await perform("true", { signal: AbortSignal.abort() })).result).toEqual({
      success: false,
      output: "",
      stderr: "",
      error: "was stopped",
    });
  });
});

describe("G15 a script's output in the log", () => {
  test("G15 is its first 64 KiB, in whole letters; the result has all of it", async () => {
    const letter = "🧵";
    const done = await perform(`i=0; while [ $i -lt 40000 ]; do printf %s x${letter}; i=$((i+1)); done`);
    const whole = `x${letter}`.repeat(40_000);
    expect(done.result.output).toBe(whole);
    const logged = printed(done, "stdout");
    expect(whole.startsWith(logged)).toBe(true);
    expect(Buffer.byteLength(logged)).toBeLessThanOrEqual(longestInlineBytes);
    expect(Buffer.byteLength(logged)).toBeGreaterThan(longestInlineBytes - 4);
  });

  test("D7 holds no secret, in whatever pieces it came", async () => {
    const script = [...secret].map((letter) => `printf %s '${letter}'; sleep 0.001`).join("; ");
    const done = await perform(`echo before; ${script}; echo; { ${script}; } >&2; echo after ${secret}`);
    expect(done.result.output).toMatch(/^before\n\[redacted:[\w-]+\]\nafter \[redacted:[\w-]+\]$/);
    expect(JSON.stringify(done)).not.toContain(secret);
    expect(printed(done, "stderr")).toBe(done.result.stderr);
  });
});
