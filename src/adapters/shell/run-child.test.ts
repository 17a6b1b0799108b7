import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inFolder, isAlive, marked, newMark, run } from "./children.fixture.ts";
import { systemProcesses } from "./processes.ts";

describe("G10 a child", () => {
  test("G10 prints, exits with a code, or is ended by a signal", async () => {
    expect(await run("echo out; echo err >&2; exit 3")).toMatchObject({
      code: 3,
      signal: null,
      ended: "exited",
      stdout: "out\n",
      stderr: "err\n",
    });
    expect(await run("kill -9 $$")).toMatchObject({ code: null, signal: "SIGKILL", ended: "exited" });
  });

  test("G10 leads a group and a session of its own, in its folder", async () => {
    const { records, stdout } = await run("echo $$; pwd; cut -d' ' -f1,5,6 /proc/$$/stat", { folder: "/usr" });
    const pid = records[0]?.pid;
    expect(stdout).toBe(`${pid}\n/usr\n${pid} ${pid} ${pid}\n`);
  });

  test("G10 is recorded before it does anything", async () => {
    await inFolder(async (folder) => {
      const file = join(folder, "ran");
      const mark = newMark();
      const seen: unknown[] = [];
      await run(
        ["/bin/sh", "-c", 'echo >"$1"', "sh", file],
        { mark },
        {
          onStarted(record) {
            seen.push(record, systemProcesses().get(record.pid)?.started, existsSync(file));
          },
        },
      );
      expect(seen).toEqual([
        { pid: expect.any(Number), started: expect.stringMatching(/^\d+$/), boot: systemProcesses().boot, mark },
        (seen[0] as { started: string }).started,
        false,
      ]);
      expect(existsSync(file)).toBe(true);
    });
  });

  test("G10 never runs when it cannot be recorded", async () => {
    await inFolder(async (folder) => {
      const file = join(folder, "ran");
      const mark = newMark();
      const full = new Error("no room");
      const onStarted = (): never => {
        throw full;
      };
      await expect(run(["/bin/sh", "-c", 'echo >"$1"', "sh", file], { mark }, { onStarted })).rejects.toBe(full);
      expect(marked(mark)).toEqual([]);
      expect(existsSync(file)).toBe(false);
    });
  });

  test("G10 that cannot be started is a result in plain words", async () => {
    await inFolder(async (folder) => {
      writeFileSync(join(folder, "text"), "no program\n", { mode: 0o644 });
      const failures: [string[], string, RegExp][] = [
        [["no-such-program"], folder, /^no-such-program is not installed: no folder on the PATH has it$/],
        [["./text"], folder, /^\.\/text is not a program$/],
        [["sh"], join(folder, "missing"), /^there is no folder .*missing$/],
        [["true", "x".repeat(1 << 18)], folder, /^it could not be started: .*E2BIG/],
        [["true", "\0"], folder, /^it could not be started: /],
      ];
      for (const [command, place, error] of failures) {
        const end = await run(command, { folder: place });
        expect(end).toMatchObject({ code: 127, ended: "exited", stdout: "", records: [] });
        expect(end.error).toMatch(error);
      }
    });
  });

  test("G10 a program that is there and cannot be read says so itself", async () => {
    await inFolder(async (folder) => {
      writeFileSync(join(folder, "script"), "#!/no/such/interpreter\n", { mode: 0o755 });
      const { code, stderr } = await run(["./script"], { folder });
      expect(code).toBeGreaterThanOrEqual(126);
      expect(stderr).toMatch(/script/);
    });
  });

  test("G10 reads what it is given, and nothing when it is given nothing", async () => {
    const stdin = "zwölf\n".repeat(100_000);
    expect((await run(["cat"], { stdin })).stdout).toBe(stdin);
    expect((await run(["cat"])).stdout).toBe("");
    expect(await run(["true"], { stdin })).toMatchObject({ code: 0, ended: "exited" });
    expect(await run("exec 0<&-; sleep 0.1; echo on", { stdin })).toMatchObject({ code: 0, stdout: "on\n" });
  });

  test("G10 has the marks of all that it runs within", async () => {
    const [outer, inner] = [newMark(), newMark()];
    const found: boolean[] = [];
    const { stdout } = await run(
      "echo $CLEW_MARK",
      { env: { ...process.env, CLEW_MARK: outer }, mark: inner },
      {
        onStarted: ({ pid }) => found.push(...[outer, inner, inner.slice(1)].map((mark) => marked(mark).includes(pid))),
      },
    );
    expect(found).toEqual([true, true, false]);
    expect(stdout).toBe(`${outer} ${inner}\n`);
    expect((await run("echo $CLEW_MARK", { env: { PATH: process.env["PATH"] }, mark: inner })).stdout).toBe(
      `${inner}\n`,
    );
  });
});

describe("G15 what a child prints", () => {
  test("G15 arrives whole: 20 MB on both streams", async () => {
    const script = `i=0; while [ $i -lt 20 ]; do head -c 1000000 /dev/zero | tr '\\0' $((i % 10)); i=$((i+1)); done | tee /dev/stderr`;
    const hash = (text: string): string => createHash("sha256").update(text).digest("hex");
    const wanted = hash(Array.from({ length: 20 }, (_, i) => String(i % 10).repeat(1_000_000)).join(""));
    const { stdout, stderr } = await run(script);
    expect([hash(stdout), hash(stderr)]).toEqual([wanted, wanted]);
  });

  test("G15 keeps letters whole over the borders of what is read", async () => {
    const pieces: string[] = [];
    const byByte = String.raw`for byte in 360 237 247 265 303 244; do printf "\\$byte"; sleep 0.02; done`;
    await run(byByte, {}, { onStdout: (text) => pieces.push(text) });
    expect(pieces).toEqual(["🧵", "ä"]);
    const many = "aäß🧵".repeat(200_000);
    expect((await run(["cat"], { stdin: many })).stdout).toBe(many);
    expect((await run(String.raw`printf 'a\303'`)).stdout).toBe("a\ufffd");
  });

  test("G10 more than 64 MiB of it ends the child", async () => {
    let characters = 0;
    const mark = newMark();
    const end = await run(["yes"], { mark }, { onStdout: (text) => (characters += text.length) });
    expect(end.ended).toBe("too_much_output");
    expect(characters).toBe(64 * 1024 * 1024);
    expect(marked(mark)).toEqual([]);
  });

  test("G10 a listener that throws ends the child", async () => {
    for (const name of ["onStdout", "onStderr"] as const) {
      const mark = newMark();
      const full = new Error("no room");
      let calls = 0;
      const listener = (): never => {
        calls += 1;
        throw full;
      };
      const script = "sleep 1000 & while :; do echo out; echo err >&2; done";
      await expect(run(script, { mark }, { [name]: listener })).rejects.toBe(full);
      expect(calls).toBe(1);
      expect(marked(mark)).toEqual([]);
    }
  });

  test("G10 a listener that throws at the very last word is heard as well", async () => {
    const full = new Error("no room");
    const onStdout = (): never => {
      throw full;
    };
    await expect(run(String.raw`printf '\303'`, {}, { onStdout })).rejects.toBe(full);
  });
});

describe("G10 an abort", () => {
  test("G10 before the start: nothing is started", async () => {
    const end = await run("echo ran", {}, { signal: AbortSignal.abort() });
    expect(end).toEqual({ code: null, signal: null, ended: "aborted", stdout: "", stderr: "", records: [] });
  });

  test("G10 while the child is recorded: it never begins", async () => {
    const stop = new AbortController();
    const end = await run("echo ran", {}, { signal: stop.signal, onStarted: () => stop.abort() });
    expect(end).toMatchObject({ ended: "aborted", stdout: "" });
  });

  test("G10 lets a child say its last words", async () => {
    const stop = new AbortController();
    let stdout = "";
    const end = await run(
      "trap 'echo bye; exit 4' TERM; echo up; while :; do sleep 0.01; done",
      {},
      {
        signal: stop.signal,
        graceMs: 10_000,
        onStdout(text) {
          stdout += text;
          if (stdout === "up\n") stop.abort();
        },
      },
    );
    expect(end).toMatchObject({ code: 4, signal: null, ended: "aborted" });
    expect(stdout).toBe("up\nbye\n");
    expect(isAlive(end.records[0]?.pid ?? 0)).toBe(false);
  });
});
