import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { rolldown } from "rolldown";
import { describe, expect, test } from "vitest";
import { inFolder, marked, newMark, run, until } from "./children.fixture.ts";
import { systemProcesses } from "./processes.ts";
import type { ChildRecord } from "./run-child.ts";
import { endSurvivors } from "./survivors.ts";

/** A program that may die for a test: JavaScript that has `runChild`, `startGated` and `endSurvivors`. */
async function makeProgram(folder: string, text: string): Promise<string> {
  const entry = join(folder, "entry.mjs");
  const output = join(folder, "program.mjs");
  const modules = { runChild: "run-child", startGated: "gate", endSurvivors: "survivors" };
  const imports = Object.entries(modules).map(
    ([name, file]) => `import { ${name} } from ${JSON.stringify(resolve(import.meta.dirname, `${file}.ts`))};\n`,
  );
  writeFileSync(entry, `${imports.join("")}${text}`);
  const bundle = await rolldown({ input: entry, platform: "node" });
  await bundle.write({ file: output, format: "esm" });
  await bundle.close();
  return output;
}

const preamble = `
const [mark, file] = process.argv.slice(2);
const spec = { command: ["/bin/sh", "-c", 'echo ran >"$1"; exec sleep 1000', "sh", file], folder: "/",
  env: { ...process.env, CLEW_MARK: mark }, mark };
const die = () => process.kill(process.pid, "SIGKILL");
`;

describe("G10 a child of a Clew that died", () => {
  const deaths = {
    "before the child was recorded": `await startGated(spec); die();`,
    "when the child waits at the gate": `await (await startGated(spec)).waits; die();`,
    "while it records the child": `await runChild(spec, { signal: new AbortController().signal, onStarted: die });`,
  };
  test.each(Object.entries(deaths))("G10 %s: the command never runs, and nothing stays", async (_when, death) => {
    await inFolder(async (folder) => {
      const [mark, file] = [newMark(), join(folder, "ran")];
      const program = await makeProgram(folder, preamble + death);
      const dying = spawn(process.execPath, [program, mark, file], { stdio: "ignore" });
      expect(await once(dying, "exit")).toEqual([null, "SIGKILL"]);
      await until(() => marked(mark).length === 0);
      expect(existsSync(file)).toBe(false);
    });
  });

  test("G10 at any instant: a command that ran is on record", async () => {
    await inFolder(async (folder) => {
      const program = await makeProgram(
        folder,
        `${preamble}
        const onStarted = (record) => console.log(JSON.stringify(record));
        process.stdin.once("data", async () => {
          await runChild(spec, { signal: new AbortController().signal, onStarted, onStdout() {}, onStderr() {} });
        });
        console.log("up");`,
      );
      for (let instant = 0; instant < 12; instant++) {
        const [mark, file] = [newMark(), join(folder, `ran-${instant}`)];
        const dying = spawn(process.execPath, [program, mark, file], { stdio: ["pipe", "pipe", "ignore"] });
        const printed = linesOf(dying.stdout);
        await until(() => printed.length > 0);
        dying.stdin.write("go\n");
        await pause(instant);
        dying.kill("SIGKILL");
        await once(dying, "close");
        const record = printed[1] === undefined ? undefined : (JSON.parse(printed[1]) as ChildRecord);
        await until(() => existsSync(file) || marked(mark).length === 0);
        expect(existsSync(file) && record === undefined).toBe(false);
        if (record !== undefined) await endSurvivors([record], { graceMs: 300 });
        expect(marked(mark)).toEqual([]);
      }
    });
  });
});

describe("G10 a Clew that looks for survivors ends", () => {
  test("G10 neither itself nor what it runs within", async () => {
    await inFolder(async (folder) => {
      const program = await makeProgram(
        folder,
        "const ended = await endSurvivors([JSON.parse(process.argv[2])], { graceMs: 300 }); console.log(ended.length);",
      );
      const { boot } = systemProcesses();
      const mark = newMark();
      // The shell is the child, as an agent may be that starts Clew; the sleep is its other work.
      const script = `sleep 1000 & started=$(cut -d' ' -f22 /proc/$$/stat)
        "$0" "$1" "{\\"pid\\":$$,\\"started\\":\\"$started\\",\\"boot\\":\\"${boot}\\",\\"mark\\":\\"${mark}\\"}"
        kill -0 $! 2>/dev/null && echo there; echo on`;
      const { stdout, code } = await run(["/bin/sh", "-c", script, process.execPath, program], { mark });
      expect({ stdout, code }).toEqual({ stdout: "1\non\n", code: 0 });
    });
  });
});

function linesOf(stream: Readable): string[] {
  const lines: string[] = [];
  let rest = "";
  stream.on("data", (bytes: Buffer) => {
    const parts = (rest + bytes.toString()).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  });
  return lines;
}
