import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { startObstacle } from "./find-program.ts";
import { startGated } from "./gate.ts";

type Shell = [string, ...string[]];

/** What may stand behind /bin/sh, as far as it is installed here. */
const shells = ([["/bin/sh"], ["dash"], ["bash", "--posix"], ["busybox", "sh"]] as Shell[])
  .filter((command) => startObstacle({ command, folder: "/", env: process.env }) === undefined)
  .map((shell) => ({ shell, name: shell.join(" ") }));

/** Runs a command through the gate of a shell and gives what it prints. */
async function through(shell: Shell, command: string[], env: Record<string, string>): Promise<string> {
  const gated = await startGated({ command, folder: "/", env }, shell);
  await gated.ready;
  const { stdout, stderr } = gated.open();
  const [printed, complaints] = await Promise.all([text(stdout), text(stderr)]);
  gated.release();
  return printed + complaints;
}

describe("G10 the gate", () => {
  test.each(shells)("G10 $name passes on arguments as they are, and nothing of its own", async ({ shell }) => {
    const env = { PATH: process.env["PATH"] ?? "", SHLVL: "3", A: "1 'two' \"three\"\n$four", CLEW_GATE: "mine" };
    const args = ["", "a b", "$(exit)", "'", "-n", "*", "ä\n"];
    expect(await through(shell, ["printf", "%s|", ...args], env)).toBe(args.map((arg) => `${arg}|`).join(""));
    const inside = (await through(shell, ["env", "-0"], env))
      .split("\0")
      .filter((each) => !/^(SHLVL=|_=|$)/.test(each));
    expect(inside.sort()).toEqual([`A=${env.A}`, `PATH=${env.PATH}`, "PWD=/"]);
    const open = await through(
      shell,
      ["sh", "-c", "for fd in 3 4 5 6 7; do [ -e /proc/$$/fd/$fd ] && echo $fd; done"],
      env,
    );
    expect(open).toBe("");
  });

  test.each(shells)("G10 $name gives pipes, which can be opened by name", async ({ shell }) => {
    const script = "echo one; echo two >/dev/stdout; echo three | tee /dev/stderr; [ -p /dev/stdout ] && echo pipe";
    expect(await through(shell, ["sh", "-c", script], { PATH: process.env["PATH"] ?? "" })).toBe(
      "one\ntwo\nthree\npipe\nthree\n",
    );
  });

  test("G10 where here-documents are files, sockets do", async () => {
    const env = { PATH: process.env["PATH"] ?? "", BASH_COMPAT: "5.0" };
    expect(
      await through(["bash"], ["sh", "-c", "echo out; echo err >&2; [ -S /dev/stdout ] && echo socket"], env),
    ).toBe("out\nsocket\nerr\n");
  });
});
