import { once } from "node:events";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { action, ExecutionRepo } from "../support/execution-repo.ts";

const killer = join(import.meta.dirname, "../support/kill-at-write.cjs");
const execute = ["session", "execute", "-y"];
const count = 20;
const numbers = Array.from({ length: count }, (_, at) => at);

/** Half of the files are changed, half of them made; a command stands between two batches. */
async function prepared(): Promise<ExecutionRepo> {
  const repo = await ExecutionRepo.begin();
  for (const at of numbers) repo.write(`old/${at}.txt`, `old ${at}\n`);
  repo.plan("01", [
    ...numbers.slice(0, 10).map((at) => action.edit(`old/${at}.txt`, `old ${at}`, `new ${at}`)),
    ...numbers.map((at) => action.create(`made/${at % 3}/${at}.txt`, `made ${at}`)),
    action.execute("echo ran >> ran.log"),
    ...numbers.slice(10).map((at) => action.edit(`old/${at}.txt`, `old ${at}`, `new ${at}`)),
  ]);
  return repo;
}

function filesOf(repo: ExecutionRepo): Record<string, string | undefined> {
  const made = numbers.map((at) => `made/${at % 3}/${at}.txt`);
  const old = numbers.map((at) => `old/${at}.txt`);
  return Object.fromEntries([...old, ...made].map((path) => [path, repo.text(path)]));
}

const before = Object.fromEntries(
  numbers.flatMap((at) => [
    [`old/${at}.txt`, `old ${at}\n`],
    [`made/${at % 3}/${at}.txt`, undefined],
  ]),
);
const after = Object.fromEntries(
  numbers.flatMap((at) => [
    [`old/${at}.txt`, `new ${at}\n`],
    [`made/${at % 3}/${at}.txt`, `made ${at}\n`],
  ]),
);

/** Files that stood beside those of the person until they were whole. */
function leftovers(repo: ExecutionRepo): string[] {
  return readdirSync(repo.root, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".new") && !/^\.(?:git|clew)\//.test(name),
  );
}

describe("T5 an execution that is killed", () => {
  test("T5 kill -9 at any write leaves all files old or all new after the next command, and the report is written once", async () => {
    using repo = await prepared();
    const writes = join(repo.root, "writes");
    const env = { NODE_OPTIONS: `--require "${killer}"` };
    {
      using whole = await prepared();
      await whole.run(execute, { env: { ...env, CLEW_WRITES: writes } });
      expect(filesOf(whole)).toEqual(after);
    }
    const total = Number(readFileSync(writes, "utf8"));
    expect(total).toBeGreaterThan(150);
    const kills = Number(process.env["CLEW_KILLS"] ?? 10);
    const seed = Number(process.env["CLEW_SEED"] ?? Date.now());
    for (let round = 0; round < kills; round++) {
      const at = 1 + Math.floor((round + ((seed * (round + 1)) % 97) / 97) * (total / kills));
      const { code } = await repo.run(execute, { env: { ...env, CLEW_KILL_AT: String(at) } });
      // Refused, for it was not executed or is undone by this; either way what was left is mended.
      const next = await repo.run(["session", "undo", "01"]);
      const isDone = repo.lines(repo.session).some(({ type }) => type === "executed");
      const place = `seed ${seed}, write ${at} of ${total}, exit ${code}: ${next.stderr}`;
      const found = { place, files: filesOf(repo), hasReport: repo.hasReport("01"), leftovers: leftovers(repo) };
      expect(found).toEqual({ place, files: before, hasReport: isDone, leftovers: [] });
      if (isDone) break;
    }
    if (repo.hasReport("01")) return;
    const { code, stderr } = await repo.run(execute);
    expect([code, stderr]).toEqual([0, ""]);
    expect(filesOf(repo)).toEqual(after);
    expect(repo.lines(repo.session).filter(({ type }) => type === "executed")).toHaveLength(1);
  });

  test("T5 kill -9 while a turn is undone leaves all files new or all old, and it is undone once", async () => {
    using repo = await prepared();
    await repo.run(execute);
    const env = { NODE_OPTIONS: `--require "${killer}"` };
    for (const at of [20, 60, 110, 150, 190, 215]) {
      await repo.run(["session", "undo", "01"], { env: { ...env, CLEW_KILL_AT: String(at) } });
      // Refused, and mends first.
      await repo.run(execute);
      const isUndone = repo.lines(repo.session).some(({ type }) => type === "undone");
      const found = { at, files: filesOf(repo), leftovers: leftovers(repo) };
      expect(found).toEqual({ at, files: isUndone ? before : after, leftovers: [] });
      if (isUndone) break;
    }
    await repo.run(["session", "undo", "01"]);
    expect(filesOf(repo)).toEqual(before);
    expect(repo.lines(repo.session).filter(({ type }) => type === "undone")).toHaveLength(1);
  });

  test("T5 T6 kill -9 between accepted memos and the first action keeps the memos, once, and the plan can be executed", async () => {
    using repo = await ExecutionRepo.begin();
    repo.write("user/clew/config.yaml", "turn_memos: accept\n");
    const env = { XDG_CONFIG_HOME: join(repo.root, "user") };
    const memos = ["- [+] Tabs, not blanks"];
    repo.plan("01", [action.create("a.txt", "a")], memos);
    const killing = { ...env, NODE_OPTIONS: `--require "${killer}"` };
    let isBetween = false;
    for (let at = 1; !isBetween; at++) {
      const { code } = await repo.run(execute, { env: { ...killing, CLEW_KILL_AT: String(at) } });
      expect(code, `write ${at}`).toBeNull();
      isBetween = repo.text(".clew/memos.yaml") !== undefined;
    }
    expect([repo.text("a.txt"), repo.hasReport("01")]).toEqual([undefined, false]);
    const { code, stderr } = await repo.run(execute, { env });
    expect([code, stderr]).toEqual([0, expect.stringContaining("the execution of turn 01 was cut off")]);
    expect(repo.text(".clew/memos.yaml")!.split("Tabs, not blanks")).toHaveLength(2);
    expect([repo.text("a.txt"), repo.statuses("01")]).toEqual(["a\n", ["SUCCESS"]]);
    expect(repo.report("01").run_summary.memos).toMatchObject({
      answer: "accepted",
      changes: [{ text: "Tabs, not blanks", ignored: "it is there already" }],
    });
  });

  test("T5 a full disk: what was begun is taken back, and the report says so", async () => {
    using repo = await prepared();
    // Contents are kept by then, and some files stand aside.
    const env = { NODE_OPTIONS: `--require "${killer}"`, CLEW_FULL_AT: "160" };
    expect((await repo.run(execute, { env })).code).toBe(1);
    expect({ files: filesOf(repo), leftovers: leftovers(repo) }).toEqual({ files: before, leftovers: [] });
    expect(repo.report("01").action_log[0]!.details).toContain("no room on disk");
  });

  test("T5 what a person changed after the kill stays, and a command that had begun is told", async () => {
    using repo = await prepared();
    const env = { NODE_OPTIONS: `--require "${killer}"` };
    const plan = join(repo.root, ".clew/sessions", repo.session, "01");
    rmSync(plan, { recursive: true });
    rmSync(join(repo.root, ".clew/sessions", repo.session, "turns.jsonl"));
    // The command kills what executes it.
    repo.plan("01", [
      action.create("a.txt", "a"),
      action.edit("old/1.txt", "old 1", "new 1"),
      action.execute("kill -9 $PPID; sleep 1000"),
    ]);
    expect((await repo.run(execute, { env })).code).toBeNull();
    expect([repo.text("a.txt"), repo.text("old/1.txt")]).toEqual(["a\n", "new 1\n"]);
    repo.write("a.txt", "mine\n");
    const { stderr } = await repo.run(["session", "undo", "01"]);
    expect(stderr).toContain("the execution of turn 01 was cut off");
    expect(stderr).toContain("left as they are: a.txt, old/1.txt");
    expect(stderr).toContain("had begun: kill -9 $PPID");
    expect([repo.text("a.txt"), repo.text("old/1.txt")]).toEqual(["mine\n", "new 1\n"]);
  });

  test("T5 a second process is refused while one executes, and after that one was killed it is not", async () => {
    using repo = await ExecutionRepo.begin();
    repo.plan("01", [
      action.create("a.txt", "a"),
      action.execute("touch begun; while [ ! -f end ]; do sleep 0.1; done"),
    ]);
    const first = repo.start(execute);
    const ended = once(first, "exit");
    while (repo.text("begun") === undefined) await sleep(20);
    const refused = await repo.run([...execute, "--json"]);
    expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining("not_possible_now")]);
    first.kill("SIGKILL");
    await ended;
    repo.write("end", "");
    const { code, stderr } = await repo.run(execute);
    expect([code, stderr]).toEqual([0, expect.stringContaining("was cut off; 1 file is as before again")]);
    expect(repo.text("a.txt")).toBe("a\n");
  });
});
