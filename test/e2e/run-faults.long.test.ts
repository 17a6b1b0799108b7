import { execFileSync, type ChildProcess } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../src/adapters/shell/children.fixture.ts";
import { write, writeBead } from "../support/grimoires.ts";
import { endNow } from "../support/processes.ts";
import { outcomeOf } from "../support/repo.ts";
import { linesOf, RunRepo } from "../support/run-repo.ts";
import { until } from "../support/runs.ts";

/** Three steps that write down that they ran; the second waits for a file. */
const three = `
- name: first
  type: script
  command: echo first >> ../../notes
- name: second
  type: script
  command: |
    echo second >> ../../notes
    while [ -e ../../hold ]; do sleep 0.02; done
- name: third
  type: script
  command: echo third >> ../../notes
`;

async function journalOf(repo: RunRepo): Promise<string> {
  return join(repo.home, "logs/workflows", `${await repo.runId()}.jsonl`);
}

const numbersIn = (journal: string): number[] =>
  linesOf(readFileSync(journal, "utf8")).flatMap((line) => ("n" in line ? line.n : []));

/** Starts the run and kills it in its second step. */
async function killedInSecond(repo: RunRepo): Promise<void> {
  write(repo, "hold", "");
  const child = repo.start(["run", "proj-1"]);
  const ended = outcomeOf(child);
  await until(() => repo.notes.includes("second"));
  endNow(child.pid!);
  await ended;
  rmSync(join(repo.root, "hold"));
}

describe("a journal that a crash left", () => {
  test("G16 a torn end is closed, told, and the run goes on", async () => {
    using repo = new RunRepo(three);
    await killedInSecond(repo);
    const journal = await journalOf(repo);
    const { size } = statSync(journal);
    appendFileSync(
      journal,
      '{"type":"workflow.step.completed","n":5,"at":"2026-11-16T10:00:00Z","path":"second","attempt":1,"status":"succ',
    );
    expect((await repo.run(["run", "resume", "latest"])).code).toBe(0);
    const text = readFileSync(journal, "utf8");
    expect(text.slice(size)).toMatch(
      /^\{"type":"workflow\.step\.completed","n":5,[^\n]*"succ ~torn~\n\{"type":"run\.torn"/,
    );
    expect(repo.notes).toBe("first\nsecond\nsecond\nthird\n");
    const numbers = numbersIn(journal);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
  });

  test("G16 a whole line without its end was never acknowledged: its step runs again", async () => {
    using repo = new RunRepo(three);
    await killedInSecond(repo);
    const journal = await journalOf(repo);
    const done = {
      type: "workflow.step.completed",
      n: 5,
      at: "2026-11-16T10:00:00Z",
      path: "second",
      attempt: 1,
      status: "succeeded",
      success: true,
      output: "",
      running_ms: 1,
    };
    appendFileSync(journal, JSON.stringify(done));
    expect((await repo.run(["run", "resume", "latest"])).code).toBe(0);
    expect(repo.notes).toBe("first\nsecond\nsecond\nthird\n");
  });

  test("G16 a poisoned line is refused with its place, nothing runs, and the journal stays as it is", async () => {
    using repo = new RunRepo(three);
    await killedInSecond(repo);
    const journal = await journalOf(repo);
    const good = readFileSync(journal, "utf8");
    const poisoned = good.replace('"path":"first","attempt":1,"status":"succeeded"', (text) =>
      text.replace("succeeded", "wonderful"),
    );
    writeFileSync(journal, poisoned);
    rmSync(join(repo.home, "state/workflows"), { recursive: true });
    const { code, stdout } = await repo.run(["run", "resume", "latest", "--json"]);
    expect(code).toBe(2);
    const { error } = JSON.parse(stdout) as { error: { code: string; message: string } };
    expect(error.code).toBe("damaged_run");
    const line = poisoned.slice(0, poisoned.indexOf("wonderful")).split("\n").length;
    expect(error.message).toContain(`${journal}:${line}:`);
    expect(readFileSync(journal, "utf8")).toBe(poisoned);
    const list = await repo.json<{ runs: unknown[]; unreadable: { reason: string }[] }>("run", "list");
    expect([list.runs.length, list.unreadable.length]).toEqual([0, 1]);
    writeFileSync(journal, good);
    expect((await repo.run(["run", "resume", "latest"])).code).toBe(0);
  });

  test("G14 a bead whose run cannot be read is not told to have none: file, line and reason are", async () => {
    using repo = new RunRepo(three);
    await killedInSecond(repo);
    const journal = await journalOf(repo);
    const id = await repo.runId();
    const good = readFileSync(journal, "utf8").split("\n");
    rmSync(join(repo.home, "state/workflows"), { recursive: true });
    for (const line of [1, 2]) {
      writeFileSync(journal, good.with(line - 1, "no JSON").join("\n"));
      for (const args of [
        ["run", "show", "proj-1"],
        ["run", "log", "1"],
        ["run", "cancel", "proj-1"],
      ]) {
        const { code, message, hint } = await repo.refused(args);
        expect([code, message]).toEqual([
          "damaged_run",
          `the journal of run ${id}, which is bead proj-1's, cannot be read: ${journal}:${line}: this line of the run's journal is not JSON`,
        ]);
        expect(hint).toContain("mend that line");
      }
    }
    writeFileSync(journal, good.join("\n"));
    expect(await repo.json("run", "show", "proj-1")).toMatchObject({ run: { id } });
  });

  test("G14 the beginning of a bead's name is not taken for it where another bead has that very name", async () => {
    using repo = new RunRepo("- {name: x, type: script, command: exit 1}");
    writeBead(repo, { id: "proj-1", title: "One" }, { id: "proj-10", title: "Ten" });
    expect((await repo.run(["run", "proj-10"])).code).toBe(3);
    for (const name of ["proj-1", "1"])
      expect((await repo.refused(["run", "cancel", name])).message).toBe("bead proj-1 has no run yet");
    expect(await repo.json("run", "show", "10")).toMatchObject({ run: { bead_id: "proj-10" } });
  });

  test("G16 a line whose beginning was damaged is no line to pass over: nothing runs, and no word of a person is lost", async () => {
    using repo = new RunRepo(`
- name: one
  type: script
  command: echo one >> ../../notes
- name: two
  type: script
  command: test -e ../../go
`);
    expect((await repo.run(["run", "proj-1"])).code).toBe(3);
    const journal = await journalOf(repo);
    const good = readFileSync(journal);
    const poisoned = Buffer.from(good);
    poisoned.fill(
      0,
      poisoned.indexOf('{"type":"workflow.step.completed"'),
      poisoned.indexOf('"path":"one","attempt":1,"status"'),
    );
    writeFileSync(journal, poisoned);
    write(repo, "go", "");
    const { code, stdout } = await repo.run(["run", "retry", "proj-1", "--json"]);
    expect([code, stdout]).toEqual([2, expect.stringContaining("damaged_run")]);
    expect(readFileSync(journal).equals(poisoned)).toBe(true);
    writeFileSync(journal, good);
    // The retry is still there, and is taken up now.
    expect((await repo.run(["run", "resume", "latest"])).code).toBe(0);
    expect(repo.notes).toBe("one\n");
  });

  test("G16 a snapshot that cannot be written does not matter", async () => {
    using repo = new RunRepo(three);
    await repo.clew("init");
    mkdirSync(join(repo.home, "state"), { recursive: true });
    writeFileSync(join(repo.home, "state/workflows"), "in the way");
    expect((await repo.run(["run", "proj-1"])).code).toBe(0);
    expect(repo.notes).toBe("first\nsecond\nthird\n");
  });

  test("G16 a snapshot that is lost, damaged or ahead of its journal does not matter", async () => {
    using repo = new RunRepo(three);
    await killedInSecond(repo);
    const journal = await journalOf(repo);
    const snapshot = journal.replace("logs/workflows", "state/workflows").replace(/jsonl$/, "json");
    const status = async (): Promise<string> =>
      (await repo.json<{ runs: { status: string }[] }>("run", "list")).runs[0]!.status;
    const kept = readFileSync(snapshot, "utf8");
    for (const text of [
      undefined,
      "",
      "{",
      "null",
      kept.replace("running", "completed").replace(/"journal_bytes":\d+/, '"journal_bytes":99999999'),
    ]) {
      if (text === undefined) rmSync(snapshot);
      else writeFileSync(snapshot, text);
      expect(await status()).toBe("interrupted");
    }
    expect((await repo.run(["run", "proj-1"])).code).toBe(0);
    expect(await status()).toBe("completed");
  });
});

describe("several at once", () => {
  test("G16 two resumes at once: one drives, the other follows, each step runs once", async () => {
    using repo = new RunRepo(three);
    await killedInSecond(repo);
    write(repo, "hold", "");
    const both = [1, 2].map(() => repo.start(["run", "resume", "latest", "--json"]));
    const ends = both.map(outcomeOf);
    await Promise.all([
      until(() => repo.notes === "first\nsecond\nsecond\n"),
      Promise.race(both.map((child) => printed(child, "another process drives this run"))),
    ]);
    rmSync(join(repo.root, "hold"));
    const outcomes = await Promise.all(ends);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(repo.notes).toBe("first\nsecond\nsecond\nthird\n");
    const last = outcomes.map(({ stdout }) => stdout.trimEnd().split("\n").at(-2)!);
    expect(last[0]).toBe(last[1]);
    expect(JSON.parse(last[0]!)).toMatchObject({ type: "workflow.completed" });
  });

  test("G13 two runs of one bead at once: never a second run", async () => {
    using repo = new RunRepo(three);
    const outcomes = await Promise.all([1, 2, 3].map(() => repo.run(["run", "proj-1"])));
    const { runs } = await repo.json<{ runs: unknown[] }>("run", "list");
    expect(repo.notes.match(/first/g)!.length).toBe(runs.length);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
  });

  test("G16 whoever follows takes over when the driver dies", async () => {
    using repo = new RunRepo(three);
    write(repo, "hold", "");
    const driver = repo.start(["run", "proj-1"]);
    const driven = outcomeOf(driver);
    await until(() => repo.notes.includes("second"));
    const follower = repo.start(["run", "resume", "latest", "--json"]);
    const followed = outcomeOf(follower);
    await printed(follower, "another process drives this run");
    endNow(driver.pid!);
    await driven;
    rmSync(join(repo.root, "hold"));
    expect((await followed).code).toBe(0);
    expect(repo.notes).toBe("first\nsecond\nsecond\nthird\n");
  });
});

/** Resolves when a command has said this on its stderr. */
function printed(child: ChildProcess, text: string): Promise<void> {
  let said = "";
  return new Promise((done) => {
    child.stderr!.on("data", (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (said.includes(text)) done();
    });
  });
}

const isRoot = process.getuid?.() === 0;

describe("bad places", () => {
  // Only root may mount a small disk.
  test.runIf(isRoot)(
    "G16 a full disk stops the run with the reason; with room again it goes on, and nothing is lost",
    async () => {
      using repo = new RunRepo(
        three.replace("echo second >> ../../notes", "echo second >> ../../notes\n    seq 1 200000"),
      );
      mkdirSync(repo.home);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=400k", "tmpfs", repo.home]);
      try {
        const { code, stdout, stderr } = await repo.run(["run", "proj-1", "--json"]);
        expect([code, stderr]).toEqual([1, expect.stringContaining("no room on disk")]);
        const told = stdout.split("\n").filter((line) => line.includes('"n":'));
        execFileSync("mount", ["-o", "remount,size=20m", repo.home]);
        const listed = await repo.json<{ runs: { status: string }[] }>("run", "list");
        expect(listed.runs[0]!.status).toBe("interrupted");
        expect((await repo.run(["run", "proj-1"])).code).toBe(0);
        expect(repo.notes).toBe("first\nsecond\nsecond\nthird\n");
        const journal = readFileSync(await journalOf(repo), "utf8");
        for (const line of told) expect(journal).toContain((JSON.parse(line) as { at: string }).at);
        const numbers = numbersIn(await journalOf(repo));
        expect(numbers).toEqual(numbers.map((_, at) => at + 1));
      } finally {
        execFileSync("umount", [repo.home]);
      }
    },
  );

  test("G16 a folder that may not be written to refuses the run before anything is done", async () => {
    using repo = new RunRepo(three);
    await repo.clew("init");
    const somebody = isRoot ? { uid: 65_534 } : {};
    if (isRoot) execFileSync("chown", ["-R", "65534:65534", repo.root]);
    chmodSync(join(repo.home), 0o555);
    const { code, stderr } = await repo.run(["run", "proj-1"], somebody);
    chmodSync(join(repo.home), 0o755);
    expect([code, stderr]).toEqual([2, expect.stringContaining("no permission")]);
    expect(repo.notes).toBe("");
    expect((await repo.run(["run", "proj-1"], somebody)).code).toBe(0);
  });

  test("G16 a journal cut to nothing is told, and does not hide the others", async () => {
    using repo = new RunRepo(three);
    await repo.clew("run", "proj-1");
    const journal = await journalOf(repo);
    writeFileSync(join(repo.home, "logs/workflows/2026-01-01-empty.jsonl"), "");
    const list = await repo.json<{ runs: unknown[]; unreadable: { id: string }[] }>("run", "list");
    expect(list).toMatchObject({ runs: [{ status: "completed" }], unreadable: [{ id: "2026-01-01-empty" }] });
    truncateSync(journal, 0);
    expect((await repo.run(["run", "show", "latest"])).code).toBe(2);
  });

  test("G10 G16 a clock that jumps changes no duration, no limit and no order", async () => {
    using repo = new RunRepo(three);
    const jumping = join(repo.root, "jumping.cjs");
    // Every look at the clock is a day off, forwards and back.
    write(
      repo,
      "jumping.cjs",
      "const now = Date.now; let n = 0; Date.now = () => now() + (n++ % 2 ? 1 : -1) * 86400000;\n",
    );
    const env = { NODE_OPTIONS: `--require ${JSON.stringify(jumping)}` };
    write(repo, "hold", "");
    const child = repo.start(["run", "proj-1"], { env });
    const ended = outcomeOf(child);
    await until(() => repo.notes.includes("second"));
    endNow(child.pid!);
    await ended;
    rmSync(join(repo.root, "hold"));
    expect((await repo.run(["run", "proj-1"], { env })).code).toBe(0);
    expect(repo.notes).toBe("first\nsecond\nsecond\nthird\n");
    const completed = repo.journal(await repo.runId()).filter((line) => line.type === "workflow.step.completed");
    const longest = Math.max(...completed.map(({ duration_ms, running_ms }) => Math.max(duration_ms!, running_ms)));
    expect(longest).toBeLessThan(60_000);
    expect(Math.min(...completed.map(({ duration_ms }) => duration_ms!))).toBeGreaterThanOrEqual(0);
  });
});

describe("a reader who is slow", () => {
  test("G10 G14 whoever does not read the output keeps neither steps nor limits waiting", async () => {
    using repo = new RunRepo(`
- name: talk
  type: loop
  max_iterations: 100
  on_max_iterations: exit
  steps:
    - name: say
      type: script
      input: {text: "${"words ".repeat(300)}"}
      command: 'true {{.text}}'
- name: slow
  type: script
  timeout: 300ms
  on_fail: continue
  command: sleep 300
- name: last
  type: script
  command: echo last >> ../../notes
`);
    const child = repo.start(["run", "proj-1", "--json"]);
    await until(() => repo.notes === "last\n");
    expect((await outcomeOf(child)).stdout.trimEnd().split("\n").at(-1)).toContain('"status":"completed"');
  });
});

test("G10 what left a step's group and session ends with it, unless the step says detach", async () => {
  for (const detach of [false, true]) {
    using repo = new RunRepo(
      `- {name: a, type: script, detach: ${detach}, command: "setsid sh -c 'echo $$ > ../../pid; exec sleep 300' > /dev/null 2>&1 & sleep 0.3"}`,
    );
    await repo.clew("run", "proj-1");
    const pid = Number(readFileSync(join(repo.root, "pid"), "utf8"));
    const isLeft = isAlive(pid);
    if (isLeft) process.kill(pid, "SIGKILL");
    expect(isLeft).toBe(detach);
  }
});
