import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { DaemonInfo } from "../../src/contract/api/daemon.ts";
import { ask, DaemonRepo, modeOf } from "../support/daemon-repo.ts";
import { writeBead } from "../support/grimoires.ts";
import { endNow, processesWith } from "../support/processes.ts";
import { startClew, until } from "../support/runs.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

test("D1 a daemon is started, told of, found again, and stopped", async () => {
  await using repo = new DaemonRepo();
  expect(await repo.status()).toMatchObject({ code: 3, daemon: null });
  const { daemon, is_new } = await repo.json<{ daemon: DaemonInfo; is_new: boolean }>("daemon", "start");
  expect(is_new).toBe(true);
  expect(await repo.json("daemon", "start")).toEqual({ daemon, is_new: false });
  const { code, ...status } = await repo.status();
  expect([code, status.daemon]).toEqual([0, daemon]);
  expect(daemon).toMatchObject({ version: status.version, root: repo.root, url: null });
  // It outlives the command, which was its parent, in a session of its own.
  expect(readFileSync(`/proc/${daemon.pid}/stat`, "utf8").split(") ")[1]!.split(" ")[3]).toBe(String(daemon.pid));
  expect(repo.registration).toMatchObject({ version: 1, id: daemon.id, pid: daemon.pid, program: status.version });

  expect(await repo.json("daemon", "stop")).toEqual({ stopped: daemon });
  expect(processesWith(repo.name)).toEqual([]);
  expect([existsSync(daemon.socket), existsSync(repo.registrationFile)]).toEqual([false, false]);
  expect(await repo.status()).toMatchObject({ code: 3, daemon: null });
  expect(await repo.json("daemon", "stop")).toEqual({ stopped: null });
});

test("D4 its socket is the user's alone, in a private folder, named by a hash, and answers who it is", async () => {
  await using repo = new DaemonRepo();
  const { id, socket } = await repo.startDaemon();
  const hash = createHash("sha256").update(join(repo.root, ".git")).digest("hex").slice(0, 16);
  expect(socket).toBe(join(repo.runtime, "clew", `${hash}.sock`));
  expect([modeOf(socket), modeOf(dirname(socket)), modeOf(repo.registrationFile)]).toEqual(["600", "700", "600"]);
  const { status, body } = await ask(socket, "/daemon");
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ daemon: { id } });
});

test("D1 ten starts at once: one daemon, and all ten tell of it", async () => {
  await using repo = new DaemonRepo();
  const starts = await Promise.all(
    Array.from({ length: 10 }, () => repo.json<{ daemon: DaemonInfo; is_new: boolean }>("daemon", "start")),
  );
  expect(new Set(starts.map(({ daemon }) => daemon.id)).size).toBe(1);
  expect(starts.filter(({ is_new }) => is_new)).toHaveLength(1);
  const daemons = processesWith(repo.name).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("daemon\0run"),
  );
  expect(daemons).toEqual([starts[0]!.daemon.pid]);
});

test("D1 it takes up a run that a crash interrupted, and none that a person stopped", async () => {
  await using repo = new DaemonRepo("p-crash", "p-person");
  const crashed = startClew(repo, ["run", "p-crash"]);
  const stopped = startClew(repo, ["run", "p-person"]);
  await until(() => repo.marks.length === 2);
  endNow(crashed.child.pid!);
  stopped.child.kill("SIGINT");
  expect((await stopped.outcome).code).toBe(130);
  await crashed.outcome;
  writeFileSync(repo.gate, "");
  await repo.startDaemon();
  await until(() => repo.marks.includes("end p-crash"));
  await until(() => repo.logged.includes("scheduler.idle"));
  expect(await repo.runs()).toEqual({ "p-crash": "completed", "p-person": "interrupted" });
  expect(repo.marks).not.toContain("end p-person");
});

test("D1 a stop interrupts what it drives, leaves no process, and the next daemon goes on with it", async () => {
  await using repo = new DaemonRepo("p-1");
  const first = await repo.startDaemon();
  await until(() => repo.marks.length === 1);
  const { driving } = await repo.status();
  expect(driving).toEqual([expect.stringContaining("p-1")]);
  await repo.clew("daemon", "stop");
  expect(processesWith(repo.name)).toEqual([]);
  expect(await repo.runs()).toEqual({ "p-1": "interrupted" });
  writeFileSync(repo.gate, "");
  const second = await repo.startDaemon();
  expect(second.id).not.toBe(first.id);
  await until(() => repo.marks.includes("end p-1"));
  await until(async () => (await repo.runs())["p-1"] === "completed");
});

test("D4 what a step started gets no daemon and no token, whatever became of its marks", async () => {
  await using repo = new DaemonRepo("p-1");
  const said = join(repo.root, ".git/said");
  const clew = `env -i HOME="$HOME" XDG_CONFIG_HOME="$XDG_CONFIG_HOME" PATH="$PATH" DAEMON_TEST='${repo.name}' '${process.execPath}' '${program}'`;
  const commands = ["start", "run", "stop", "install", "token", "token revoke abc"];
  const calls = [`'${process.execPath}' '${program}' daemon token --json >> '${said}' 2>/dev/null`].concat(
    commands.map((words) => `${clew} daemon ${words} --json >> '${said}' 2>/dev/null`),
  );
  repo.script("gated", `${calls.join("; ")}; true`);
  expect((await repo.run(["run", "p-1"])).code).toBe(0);
  const answers = readFileSync(said, "utf8").trimEnd().split("\n");
  expect(answers.map((line) => (JSON.parse(line) as { error: { code: string } }).error.code)).toEqual(
    Array(commands.length + 1).fill("no_permission"),
  );
  expect([existsSync(repo.registrationFile), existsSync(join(repo.home, "tokens"))]).toEqual([false, false]);
});

test("D4 a daemon has none of the marks of what started it, and keeps the rest of its environment", async () => {
  await using repo = new DaemonRepo();
  Object.assign(repo.env, { CLEW_SESSION: "some-session", CLEW_MCP_URL: "http://127.0.0.1:1/mcp", KEPT: "yes" });
  const { pid } = await repo.startDaemon();
  const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  expect(variables).toContain("KEPT=yes");
  expect(variables.filter((each) => /^CLEW_(?:MARK|RUN|STEP|SESSION|MCP)/.test(each))).toEqual([]);
});

test("D1 another version than the program's is noticed", async () => {
  await using repo = new DaemonRepo();
  await repo.startDaemon();
  writeFileSync(repo.registrationFile, `${JSON.stringify({ ...repo.registration, program: "0.0.1" })}\n`);
  const { code, stdout } = await repo.run(["daemon", "status"]);
  expect(code).toBe(0);
  expect(stdout).toContain("It is of version 0.0.1, and this program of ");
  expect(stdout).toContain("clew daemon stop, then clew daemon start");
  expect((await repo.clew("doctor")).replace(/\s+/g, " ")).toContain("is of version 0.0.1, this program is");
});

test("D7 its log has a line for each event, redacted; what it prints before goes there, too", async () => {
  await using repo = new DaemonRepo();
  const secret = `hush${"7q".repeat(10)}`;
  Object.assign(repo.env, { MY_SECRET_TOKEN: secret });
  writeBead(repo, { id: "p-1", title: `Use ${secret}`, status: "open", labels: ["grimoire:missing"] });
  const { log } = await repo.status();
  expect(log).toBe(join(repo.home, "logs/daemon.log"));
  const { socket } = await repo.startDaemon();
  await until(() => repo.logged.includes("scheduler.idle"));
  await repo.clew("daemon", "stop");
  const lines = repo.logged.trimEnd().split("\n");
  for (const line of lines) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z [a-z_.]+ \{.*\}$/);
  expect(lines.map((line) => line.split(" ")[1])).toEqual([
    "daemon.listening",
    "scheduler.opened",
    "scheduler.backed_off",
    "scheduler.idle",
    "scheduler.closed",
    "daemon.ended",
  ]);
  expect(repo.logged).not.toContain(secret);
  expect(modeOf(log)).toBe("600");

  // It cannot listen, and says why.
  writeFileSync(socket, "");
  const { message } = await repo.refused(["daemon", "start"]);
  expect(message).toContain("the daemon did not come up: it ended before it listened; its log ends in:");
  expect(message).toContain("is a file, where the daemon's socket belongs");
  expect(repo.logged).toContain("is a file, where the daemon's socket belongs");
});

test("D1 clew daemon run is a daemon, too, in the foreground: told of, and ended by Ctrl-C", async () => {
  await using repo = new DaemonRepo();
  const foreground = startClew(repo, ["daemon", "run", "--port", "0"]);
  await until(() => foreground.printed().includes("listening at"));
  const { daemon } = await repo.status();
  expect(daemon).toMatchObject({
    pid: foreground.child.pid,
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
  expect((await repo.json<{ is_new: boolean }>("daemon", "start")).is_new).toBe(false);
  expect((await repo.refused(["daemon", "start", "--port", "1"])).hint).toBe(
    "clew daemon stop, then clew daemon start --port 1",
  );
  foreground.child.kill("SIGINT");
  expect((await foreground.outcome).code).toBe(130);
  expect((await repo.status()).daemon).toBeNull();
});
