import { appendFileSync, existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DaemonRepo } from "../support/daemon-repo.ts";
import { until } from "../support/runs.ts";
import { ClaudeLines } from "../support/transcripts.ts";
import { write } from "../support/grimoires.ts";

/** The rows of the index, as they stand on disk. */
function indexOf(repo: DaemonRepo): string {
  const folder = join(repo.home, "index/shards");
  if (!existsSync(folder)) return "";
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}

test("D1 the index follows what other processes write, without a look of theirs", async () => {
  await using repo = new DaemonRepo();
  const id = await repo.clew("session", "start", "Fix the login");
  await repo.startDaemon();
  await until(() => indexOf(repo).includes(id));
  const before = indexOf(repo);
  await repo.clew("session", "log", "error", "It broke", "-s", id);
  await until(() => indexOf(repo) !== before);
  expect(indexOf(repo)).toContain(id);
});

test("S8 it pauses a session that is idle, without a look of anyone", async () => {
  await using repo = new DaemonRepo();
  await repo.clew("init");
  await repo.clew("config", "set", "idle_timeout", "5s");
  await repo.startDaemon();
  const id = await repo.clew("session", "start", "Fix the login");
  const text = (): string => readFileSync(repo.path(id), "utf8");
  expect(text()).toMatch(/^status: active$/m);
  await until(() => /^status: paused$/m.test(text()));
});

test("D1 W12 it goes on with imports where there was one before", async () => {
  await using repo = new DaemonRepo();
  Object.assign(repo.env, {
    HOME: join(repo.root, ".git/user"),
    CLAUDE_CONFIG_DIR: "",
    CODEX_HOME: "",
    XDG_DATA_HOME: "",
  });
  const leave = (session: string, words: string): void => {
    const folder = `.git/user/.claude/projects/${repo.root.replace(/[^A-Za-z0-9]/g, "-")}`;
    write(repo, `${folder}/${session}.jsonl`, `${new ClaudeLines(repo.root, session).user(words)}\n`);
  };
  leave("s-1", "Fix the login");
  expect(await repo.json("session", "import")).toMatchObject({ imported: 1 });
  await repo.startDaemon();
  leave("s-2", "Mend the door");
  await until(() => existsSync(repo.path("2026-11-15-mend-the-door")));
  await until(() => repo.logged.includes("imports.imported"));
});

test("D1 what cannot be read does not end it, and a journal with lines behind its end is driven by no one", async () => {
  await using repo = new DaemonRepo();
  repo.script("gated", "true");
  write(repo, ".beads/issues.jsonl", `${JSON.stringify({ id: "p-1", title: "One", status: "open" })}\n`);
  expect((await repo.run(["run", "p-1"])).code).toBe(0);
  const { runs } = await repo.json<{ runs: { id: string }[] }>("run", "list");
  const journal = join(repo.home, "logs/workflows", `${runs[0]!.id}.jsonl`);
  const [started] = readFileSync(journal, "utf8").match(/^.*"workflow\.step\.started".*$/m)!;
  appendFileSync(journal, `${started.replace(/"n":\d+/, '"n":100')}\n`);
  symlinkSync("imports.json", join(repo.home, "state/imports.json"));
  await repo.startDaemon();
  await until(() => repo.logged.includes("transcripts cannot be imported"));
  await until(() => repo.logged.includes("scheduler.idle"));
  expect(repo.logged).not.toContain("scheduler.resumed");
  expect(await repo.json("run", "list")).toMatchObject({ runs: [{ status: "completed" }] });
  expect(await repo.json("daemon", "status")).toMatchObject({ daemon: { pid: expect.any(Number) } });
});

test("G16 it removes the states of runs that ended long ago", async () => {
  await using repo = new DaemonRepo();
  const { utimesSync } = await import("node:fs");
  repo.script("gated", "true");
  write(repo, ".beads/issues.jsonl", `${JSON.stringify({ id: "p-1", title: "One", status: "open" })}\n`);
  expect((await repo.run(["run", "p-1"])).code).toBe(0);
  const [name] = readdirSync(join(repo.home, "state/workflows")).filter((each) => each.endsWith(".json"));
  const snapshot = join(repo.home, "state/workflows", name!);
  const old = new Date(Date.now() - 9 * 86_400_000);
  const text = readFileSync(snapshot, "utf8").replace(/"ended":"[^"]*"/, `"ended":"${old.toISOString()}"`);
  write(repo, `.git/clew/state/workflows/${name}`, text);
  utimesSync(snapshot, old, old);
  await repo.startDaemon();
  await until(() => !existsSync(snapshot));
  expect(existsSync(join(repo.home, "logs/workflows", name!.replace(/json$/, "jsonl")))).toBe(true);
});
