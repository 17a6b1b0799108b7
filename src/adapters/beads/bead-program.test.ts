import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { beadProgram, type BeadProgram, type ProgramParts } from "./bead-program.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "clew-bd-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function parts(env: Record<string, string>): ProgramParts {
  return { keeper: { folder: join(root, ".beads"), displayPath: ".beads/dolt" }, name: "bd", root, env };
}

/** A `bd` that is this shell script. */
function bdThat(script: string, timeoutMs?: number): BeadProgram["call"] {
  const program = join(root, "bd");
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const env = { PATH: `${root}:/usr/bin:/bin`, BEADS_DB: "/elsewhere.db", BEADS_DIR: "/elsewhere" };
  return beadProgram({ ...parts(env), ...(timeoutMs !== undefined && { timeoutMs }) }).call;
}

describe("G2 the program bd", () => {
  it("G2 gets arguments as they are, and the beads of this repository whatever the shell says", async () => {
    const bd = bdThat('printf "%s|" "$@" "$BEADS_DIR" "$BEADS_DB" "$PWD"');
    expect(await bd(["create", "--title=a b; $(x)\nc"])).toBe(`create|--title=a b; $(x)\nc|${root}/.beads||${root}|`);
  });

  it("G2 that does not answer is ended with all that it started", async () => {
    const bd = bdThat("sleep 300 & echo $! > child; wait", 300);
    await expect(bd(["create"])).rejects.toThrow("bd create failed: no answer within 0.3 s");
    const child = Number(readFileSync(join(root, "child"), "utf8"));
    await expect.poll(() => isRunning(child)).toBe(false);
  });

  it("G2 that leaves a server running is not waited for, and the server stays", async () => {
    const bd = bdThat("sleep 300 & echo $! > child; echo done");
    expect(await bd(["create"])).toBe("done\n");
    const child = Number(readFileSync(join(root, "child"), "utf8"));
    expect(isRunning(child)).toBe(true);
    process.kill(child, "SIGKILL");
  });

  it("G2 is heard to the end, however late it is read", async () => {
    const bd = bdThat("sleep 300 & echo $! > child; head -c 60000 /dev/zero | tr '\\0' x; echo end");
    const answer = bd(["list"]);
    // As on a machine that has no time for us: the program has long ended when its answer is read.
    await new Promise((done) => setTimeout(done, 1));
    const busyUntil = performance.now() + 1500;
    while (performance.now() < busyUntil);
    expect(await answer).toBe(`${"x".repeat(60_000)}end\n`);
    process.kill(Number(readFileSync(join(root, "child"), "utf8")), "SIGKILL");
  });

  it("G2 is not started with what no program can be given", async () => {
    const bd = bdThat("echo started");
    await expect(bd(["update", `--notes=${"x".repeat(3_000_000)}`])).rejects.toThrow("bd update failed: spawn E2BIG");
    await expect(bd(["update", "--notes=a\0b"])).rejects.toThrow("bd update failed: ");
  });

  it("G2 that fails says why, and one that is not there too", async () => {
    await expect(bdThat("echo 'Error: no such issue' >&2; exit 3")(["update"])).rejects.toThrow(
      "bd update failed: no such issue",
    );
    await expect(bdThat("exit 3")(["update"])).rejects.toThrow("bd update failed: exit code 3");
    await expect(beadProgram(parts({ PATH: "/nowhere" })).call(["close"])).rejects.toThrow("bd close failed: ");
  });
});

/** A zombie that no parent has waited for yet does not run. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
