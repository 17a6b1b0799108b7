import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DaemonInfo } from "../../src/contract/api/daemon.ts";
import type { Finding } from "../../src/contract/api/doctor.ts";
import { ask, DaemonRepo, modeOf } from "../support/daemon-repo.ts";
import { endNow, isPending, processesWith } from "../support/processes.ts";
import { startClew, until } from "../support/runs.ts";

/** The daemon is killed, and leaves all that it had. */
async function crash(repo: DaemonRepo): Promise<DaemonInfo> {
  const daemon = await repo.startDaemon();
  endNow(daemon.pid);
  await until(() => processesWith(repo.name).length === 0);
  expect([existsSync(daemon.socket), existsSync(repo.registrationFile)]).toEqual([true, true]);
  return daemon;
}

async function findings(repo: DaemonRepo, ...args: string[]): Promise<Finding[]> {
  const { stdout } = await repo.run(["doctor", "--json", ...args]);
  return (JSON.parse(stdout) as { findings: Finding[] }).findings.filter(({ check }) => /daemon|tokens/.test(check));
}

describe("D1 a daemon is never confused with a stranger", () => {
  test("a registration and a socket that a crash left count for nothing", async () => {
    await using repo = new DaemonRepo();
    const dead = await crash(repo);
    expect(await repo.status()).toMatchObject({ code: 3, daemon: null });
    expect(await repo.json("daemon", "stop")).toEqual({ stopped: null });
    const next = await repo.startDaemon();
    expect(next.socket).toBe(dead.socket);
    expect(next.id).not.toBe(dead.id);
    expect(JSON.parse((await ask(next.socket, "/daemon")).body)).toMatchObject({ daemon: { id: next.id } });
  });

  test("a process that has the number of a dead daemon is not stopped", async () => {
    await using repo = new DaemonRepo();
    const dead = await crash(repo);
    const stranger = startClew(repo, ["mcp", "--http"]);
    await until(() => stranger.printed().includes("url"));
    const pid = stranger.child.pid!;
    writeFileSync(repo.registrationFile, `${JSON.stringify({ ...repo.registration, pid })}\n`);
    expect(await repo.status()).toMatchObject({ code: 3, daemon: null });
    expect(await repo.json("daemon", "stop")).toEqual({ stopped: null });
    expect((await repo.startDaemon()).pid).not.toBe(dead.pid);
    expect(stranger.child.exitCode).toBeNull();
    await repo.clew("daemon", "stop");
    stranger.child.kill("SIGTERM");
    await stranger.outcome;
  });

  test("who listens on its socket, and is not it, is not taken for it; nor removed", async () => {
    await using repo = new DaemonRepo();
    const { socket } = await repo.startDaemon();
    await repo.clew("daemon", "stop");
    const stranger = createServer((_, response) => response.end(JSON.stringify({ daemon: { id: "stranger" } })));
    await once(stranger.listen(socket), "listening");
    const { message } = await repo.refused(["daemon", "start"]);
    expect(message).toContain(`another process listens at ${socket}, and is not the daemon of this repository`);
    expect(JSON.parse((await ask(socket, "/daemon")).body)).toEqual({ daemon: { id: "stranger" } });
    expect(await repo.status()).toMatchObject({ code: 3, daemon: null });
    stranger.close();
    await once(stranger, "close");
    expect((await repo.startDaemon()).socket).toBe(socket);
  });

  test("a copy of the repository, with all of its git folder, has no daemon, and gets its own", async () => {
    await using repo = new DaemonRepo();
    const daemon = await repo.startDaemon();
    await using copy = new DaemonRepo();
    rmSync(copy.root, { recursive: true });
    cpSync(repo.root, copy.root, { recursive: true });
    expect(copy.registration).toEqual(repo.registration);
    expect(await copy.status()).toMatchObject({ code: 3, daemon: null });
    expect(await copy.json("daemon", "stop")).toEqual({ stopped: null });
    const other = await copy.startDaemon();
    expect(other).toMatchObject({ root: copy.root });
    expect(other.socket).not.toBe(daemon.socket);
    expect((await repo.status()).daemon).toEqual(daemon);
  });

  test("a daemon whose repository is moved ends, and the moved one gets another", async () => {
    await using repo = new DaemonRepo();
    const daemon = await repo.startDaemon();
    await using moved = new DaemonRepo();
    rmSync(moved.root, { recursive: true });
    renameSync(repo.root, moved.root);
    expect(await moved.status()).toMatchObject({ code: 3, daemon: null, driving: [] });
    const next = await moved.startDaemon();
    expect(next).toMatchObject({ root: moved.root });
    expect(next.id).not.toBe(daemon.id);
    expect([existsSync(repo.root), processesWith(repo.name)]).toEqual([false, []]);
  });

  test("a daemon whose repository is deleted ends", async () => {
    await using repo = new DaemonRepo();
    const { socket } = await repo.startDaemon();
    rmSync(repo.root, { recursive: true });
    await until(() => processesWith(repo.name).length === 0);
    expect([existsSync(socket), existsSync(repo.root)]).toEqual([false, false]);
  });

  test("a daemon that lost only its registration writes it again", async () => {
    await using repo = new DaemonRepo();
    const daemon = await repo.startDaemon();
    rmSync(repo.registrationFile);
    await until(() => existsSync(repo.registrationFile));
    expect((await repo.status()).daemon).toEqual(daemon);
  });

  test("clew daemon run --once has the daemon's place, and is not taken for a daemon", async () => {
    await using repo = new DaemonRepo("p-1");
    const scheduler = startClew(repo, ["daemon", "run", "--once"]);
    await until(() => repo.marks.length === 1);
    expect(await repo.status()).toMatchObject({ code: 3, daemon: null });
    for (const words of ["start", "stop"]) {
      // The scheduler still writes the session of its run, so that the record is not compared.
      const { code, stdout } = await repo.run(["daemon", words, "--json"]);
      expect([code, JSON.parse(stdout)]).toMatchObject([
        2,
        {
          error: {
            code: "not_possible_now",
            message: `clew daemon run --once is at work in this repository: process ${scheduler.child.pid}`,
          },
        },
      ]);
    }
    writeFileSync(repo.gate, "");
    expect((await scheduler.outcome).code).toBe(0);
    await repo.startDaemon();
    expect((await repo.run(["daemon", "run", "--once"])).code).toBe(2);
  });

  test("two stops at once: steps are ended in peace all the same", async () => {
    await using repo = new DaemonRepo("p-1");
    const daemon = await repo.startDaemon();
    await until(() => repo.marks.length === 1);
    const stops = await Promise.all([repo.json("daemon", "stop"), repo.json("daemon", "stop")]);
    expect(stops).toContainEqual({ stopped: daemon });
    expect(processesWith(repo.name)).toEqual([]);
    expect(repo.logged).toContain("daemon.ended");
    expect(await repo.runs()).toEqual({ "p-1": "interrupted" });
  });

  test("a start while another daemon ends waits for it, and brings up the next", async () => {
    await using repo = new DaemonRepo("p-1");
    const first = await repo.startDaemon();
    await until(() => repo.marks.length === 1);
    const [{ stopped }, { daemon, is_new }] = await Promise.all([
      repo.json<{ stopped: DaemonInfo }>("daemon", "stop"),
      until(() => !existsSync(repo.registrationFile) || repo.registration["is_ending"] === true).then(() =>
        repo.json<{ daemon: DaemonInfo; is_new: boolean }>("daemon", "start"),
      ),
    ]);
    expect([stopped.id, is_new]).toEqual([first.id, true]);
    expect(daemon.id).not.toBe(first.id);
  });
});

describe("D4 the folder of its socket", () => {
  test("a path that is too long, or is not there, gives way to another", async () => {
    await using repo = new DaemonRepo();
    const long = join(repo.runtime, "x".repeat(100));
    mkdirSync(long);
    const inTemp = join(tmpdir(), `clew-${process.getuid!()}`);
    for (const folder of [long, join(repo.runtime, "missing"), "relative", ""]) {
      repo.env["XDG_RUNTIME_DIR"] = folder;
      const { socket } = await repo.startDaemon();
      expect([dirname(socket), modeOf(dirname(socket)), modeOf(socket)]).toEqual([inTemp, "700", "600"]);
      await repo.clew("daemon", "stop");
    }
    repo.env["TMPDIR"] = long;
    const { socket } = await repo.startDaemon();
    expect(dirname(socket)).toBe(`/tmp/clew-${process.getuid!()}`);
  });

  test("a folder that is a link, a file, or open to others is refused with what to do", async () => {
    await using repo = new DaemonRepo();
    const folder = join(repo.runtime, "clew");
    const elsewhere = join(repo.runtime, "elsewhere");
    mkdirSync(elsewhere, { mode: 0o700 });
    const refusal = async (): Promise<string> => {
      const { message } = await repo.refused(["daemon", "start"]);
      const told = (await findings(repo)).filter(({ check }) => check === "daemon");
      expect(told.at(-1)).toMatchObject({ status: "problem", message: expect.stringContaining(folder) as string });
      rmSync(folder, { recursive: true });
      return message;
    };
    symlinkSync(elsewhere, folder);
    expect(await refusal()).toContain(`cannot stand in ${folder}: it is a link`);
    mkdirSync(folder);
    chmodSync(folder, 0o770);
    expect(await refusal()).toContain(`cannot stand in ${folder}: it can be written to by other users`);
    writeFileSync(folder, "");
    expect(await refusal()).toMatch(/a file is in the way|is no folder/);
    mkdirSync(folder, { mode: 0o755 });
    const { socket } = await repo.startDaemon();
    expect(modeOf(dirname(socket))).toBe("700");
  });
});

describe("the doctor looks at the daemon", () => {
  test("a registration that a crash left is removed by --repair", async () => {
    await using repo = new DaemonRepo();
    expect(await findings(repo)).toMatchObject([{ status: "ok", message: "none runs" }, { status: "ok" }]);
    const { pid } = await crash(repo);
    expect((await findings(repo))[0]).toMatchObject({
      status: "warning",
      message: expect.stringContaining(`process ${pid} registered`) as string,
    });
    expect((await findings(repo, "--repair"))[0]).toMatchObject({ status: "repaired" });
    expect(existsSync(repo.registrationFile)).toBe(false);
    const next = await repo.startDaemon();
    expect((await findings(repo))[0]).toMatchObject({
      status: "ok",
      message: expect.stringContaining(`process ${next.pid}`) as string,
    });
  });

  test("tokens that others have rights to are made the user's own again", async () => {
    await using repo = new DaemonRepo();
    const { id } = await repo.json<{ id: string }>("daemon", "token");
    const file = join(repo.home, "tokens", `${id}.json`);
    chmodSync(file, 0o644);
    chmodSync(dirname(file), 0o755);
    const warned = (await findings(repo)).filter(({ check }) => check === "tokens");
    expect(warned.map(({ status }) => status)).toEqual(["warning", "warning"]);
    await findings(repo, "--repair");
    expect([modeOf(file), modeOf(dirname(file))]).toEqual(["600", "700"]);
    expect((await findings(repo)).at(-1)).toMatchObject({ status: "ok", message: "1 made" });
  });
});

test("D1 a daemon that cannot open its port says so, and leaves nothing", async () => {
  await using repo = new DaemonRepo();
  const taken = createServer();
  await once(taken.listen(0, "127.0.0.1"), "listening");
  const { port } = taken.address() as { port: number };
  const { message } = await repo.refused(["daemon", "start", "--port", String(port)]);
  expect(message).toContain("did not come up");
  expect([existsSync(repo.registrationFile), processesWith(repo.name)]).toEqual([false, []]);
  expect(readFileSync(join(repo.home, "logs/daemon.log"), "utf8")).toContain(String(port));
  taken.close();
  await once(taken, "close");
  expect((await repo.startDaemon("--port", String(port))).url).toBe(`http://127.0.0.1:${port}`);
});

describe("D1 a daemon in trouble", () => {
  test("one that does not answer is waited for, and told of after a while", async () => {
    await using repo = new DaemonRepo("p-1");
    const daemon = await repo.startDaemon();
    await until(() => repo.marks.length === 1);
    process.kill(daemon.pid, "SIGSTOP");
    const stop = startClew(repo, ["daemon", "stop", "--json"]);
    await until(() => stop.printed().includes("still waiting"));
    expect(stop.printed()).toMatch(/still waiting: the daemon ends 1 run: \S+-p-1; Ctrl-C stops waiting/);
    process.kill(daemon.pid, "SIGCONT");
    const { code, stdout } = await stop.outcome;
    expect([code, JSON.parse(stdout)]).toEqual([0, { stopped: daemon }]);
  });

  test("Ctrl-C stops waiting for its end, and it ends all the same", async () => {
    await using repo = new DaemonRepo();
    const { pid } = await repo.startDaemon();
    process.kill(pid, "SIGSTOP");
    const stop = startClew(repo, ["daemon", "stop"]);
    // Not any signal: SIGSTOP itself may still be on its way.
    await until(() => isPending(pid, "SIGTERM"));
    stop.child.kill("SIGINT");
    const { code, stderr } = await stop.outcome;
    expect([code, stderr]).toEqual([2, expect.stringContaining(`kill -9 ${pid}`)]);
    process.kill(pid, "SIGCONT");
    await until(() => processesWith(repo.name).length === 0);
  });

  test("a fault that nobody caught is in its log, redacted, and the next daemon starts", async () => {
    await using repo = new DaemonRepo();
    const secret = `hush${"8w".repeat(10)}`;
    const fault = join(repo.root, ".git/fault.cjs");
    writeFileSync(
      fault,
      `process.on("SIGUSR2", () => setImmediate(() => { throw new Error("broke at ${secret}"); }));`,
    );
    Object.assign(repo.env, { MY_SECRET_TOKEN: secret, NODE_OPTIONS: `--require ${JSON.stringify(fault)}` });
    const { pid } = await repo.startDaemon();
    process.kill(pid, "SIGUSR2");
    await until(() => repo.logged.includes("daemon.fault"));
    await until(() => processesWith(repo.name).length === 0);
    expect(repo.logged).toContain("broke at ");
    expect(repo.logged).not.toContain(secret);
    expect((await repo.startDaemon()).pid).not.toBe(pid);
  });
});
