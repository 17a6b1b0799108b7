import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ListedRun } from "../../src/contract/api/run.ts";
import type { SchedulerEvent } from "../../src/contract/api/scheduler.ts";
import type { RunEvent } from "../../src/contract/run-journal.ts";
import { write, writeBead } from "../support/grimoires.ts";
import { endNow, processesWith } from "../support/processes.ts";
import { leaveSignal } from "../support/leave-signal.ts";
import { Repo, type Refusal } from "../support/repo.ts";
import { startClew, until, type Started } from "../support/runs.ts";

const daemon = ["daemon", "run"];

interface TestBead {
  id: string;
  priority?: number;
  labels?: string[];
}

/** A repository with beads, and a grimoire whose step writes down its bead when it begins and when it ends. */
class BusyRepo extends Repo {
  /** Steps work elsewhere than in the main checkout, so these have their own place. */
  readonly marksFile = join(this.root, ".git/marks");
  readonly gate = join(this.root, ".git/go");

  constructor(limit: number, ...beads: TestBead[]) {
    super();
    writeBead(this, ...beads.map((each) => ({ title: `Bead ${each.id}`, status: "open", ...each })));
    write(this, ".clew/config.yaml", `default_grimoire: brief\nmax_concurrent_agents: ${limit}\n`);
    const mark = (what: string): string => `echo "${what} {{.bead.id}}" >> '${this.marksFile}'`;
    this.grimoire("brief", `${mark("begin")}; sleep 0.2; ${mark("end")}`);
    this.grimoire("gated", `${mark("begin")}; while [ ! -e '${this.gate}' ]; do sleep 0.02; done; ${mark("end")}`);
    this.grimoire("asks", `${mark("begin")}; test -e '${this.gate}'`);
  }

  grimoire(name: string, command: string): void {
    const steps = JSON.stringify([{ name: "work", type: "script", command }]);
    write(this, `.clew/grimoires/${name}.yaml`, `name: ${name}\ndescription: For a test.\nsteps: ${steps}\n`);
  }

  /** A later line of the same bead is the one that counts. */
  addBead(bead: TestBead): void {
    const line = JSON.stringify({ title: `Bead ${bead.id}`, status: "open", ...bead });
    appendFileSync(join(this.root, ".beads/issues.jsonl"), `${line}\n`);
  }

  openGate(): void {
    writeFileSync(this.gate, "");
  }

  get marks(): string[] {
    return existsSync(this.marksFile) ? readFileSync(this.marksFile, "utf8").trimEnd().split("\n") : [];
  }

  /** How many steps ran at the same time, at most. */
  get mostAtOnce(): number {
    let now = 0;
    return Math.max(...this.marks.map((mark) => (now += mark.startsWith("begin") ? 1 : -1)));
  }

  async runs(): Promise<Record<string, string>> {
    const { runs } = await this.json<{ runs: ListedRun[] }>("run", "list");
    const found = Object.fromEntries(runs.map(({ bead_id, status }) => [bead_id, status]));
    if (Object.keys(found).length !== runs.length) throw new Error("a bead has two runs");
    return found;
  }
}

type Line = SchedulerEvent | (RunEvent & { workflow_id: string });

function linesOf(stdout: string): Line[] {
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

function told<Type extends SchedulerEvent["type"]>(
  stdout: string,
  type: Type,
): Extract<SchedulerEvent, { type: Type }>[] {
  return linesOf(stdout).filter((line) => line.type === type) as never;
}

/** Ends a daemon as a person would, who waits for it. */
async function stop({ child, outcome }: Started, signal: NodeJS.Signals = "SIGINT"): Promise<number | null> {
  child.kill(signal);
  return (await outcome).code;
}

const gated = { labels: ["grimoire:gated"] };

describe("clew daemon run", () => {
  test("G19 works on all that is ready, the most urgent first, as many at once as allowed", async () => {
    const [first, second] = [
      { id: "p-top", priority: 0, ...gated },
      { id: "p-a", priority: 1, ...gated },
    ];
    using repo = new BusyRepo(2, { id: "p-low", priority: 3 }, second, { id: "p-b", priority: 1 });
    repo.addBead(first);
    const scheduler = startClew(repo, [...daemon, "--once", "--json"]);
    await until(() => repo.marks.filter((mark) => mark.startsWith("begin")).length === 2);
    repo.openGate();
    const { code, stdout, stderr } = await scheduler.outcome;
    expect([code, stderr]).toEqual([0, ""]);
    // Which of two that begin at once is told first is chance.
    const begun = told(stdout, "scheduler.started").map(({ bead_id }) => bead_id);
    expect([new Set(begun.slice(0, 2)), new Set(begun.slice(2))]).toEqual([
      new Set(["p-top", "p-a"]),
      new Set(["p-b", "p-low"]),
    ]);
    expect(repo.mostAtOnce).toBe(2);
    const lines = linesOf(stdout);
    expect(lines[0]).toMatchObject({ type: "scheduler.opened", limit: 2, ready: 4, to_resume: 0 });
    const numbers = lines.flatMap((line) => ("n" in line ? line.n : [])).sort((one, other) => one - other);
    expect(numbers).toEqual(numbers.map((_, at) => at + 1));
    expect(Object.values(await repo.runs())).toEqual(Array(4).fill("completed"));
  });

  test("G19 tells a person one aligned line for each thing that happens", async () => {
    using repo = new BusyRepo(1, { id: "p-1" }, { id: "p-2", labels: ["grimoire:asks"] });
    const { code, stdout } = await repo.run([...daemon, "--once"]);
    expect(code).toBe(3);
    const day = /\d{4}-\d\d-\d\d/.exec(stdout)?.[0];
    const run = (id: string): string => `${id.padEnd(8)}  ${`${day}-${id}`.padEnd(16)}`;
    const lines = stdout.trimEnd().split("\n");
    expect(lines.every((line) => /^\d\d:\d\d:\d\d {2}\S/.test(line))).toBe(true);
    expect(lines.map((line) => line.slice(10))).toEqual([
      "2 beads ready · 0 runs to take up · at most 1 at once",
      `${run("p-1")}  ▸ started  Bead p-1`,
      `${run("p-1")}  ✓ completed`,
      `${run("p-2")}  ▸ started  Bead p-2`,
      `${run("p-2")}  ⏸ blocked: exited with 1  clew run retry ${day}-p-2`,
      "ended · 1 blocked · clew inbox shows them",
    ]);
  });

  test("G19 a person's own clew run takes a place and keeps its bead", async () => {
    using repo = new BusyRepo(1, { id: "p-1", ...gated }, { id: "p-2" });
    const person = startClew(repo, ["run", "p-1"]);
    await until(() => repo.marks.includes("begin p-1"));
    const scheduler = startClew(repo, [...daemon, "--once", "--json"]);
    await until(() => scheduler.printed().includes("scheduler.opened"));
    repo.openGate();
    expect([(await person.outcome).code, (await scheduler.outcome).code]).toEqual([0, 0]);
    const { stdout } = await scheduler.outcome;
    expect(told(stdout, "scheduler.opened")).toMatchObject([{ driven_elsewhere: 1, ready: 1 }]);
    expect(repo.marks).toEqual(["begin p-1", "end p-1", "begin p-2", "end p-2"]);
    expect(await repo.runs()).toEqual({ "p-1": "completed", "p-2": "completed" });
  });

  test("G19 one daemon per repository; one that was killed loses nothing and is in nobody's way", async () => {
    using repo = new BusyRepo(2, { id: "p-1", ...gated }, { id: "p-2", ...gated }, { id: "p-3" });
    const first = startClew(repo, [...daemon, "--json"]);
    await until(() => repo.marks.length === 2);
    const second = await repo.run([...daemon, "--json"]);
    const { error } = JSON.parse(second.stdout) as { error: Refusal };
    const { pid } = first.child;
    expect([second.code, error.code]).toEqual([2, "not_possible_now"]);
    expect([error.message, error.hint].join()).toMatch(new RegExp(`process ${pid}.*clew daemon stop ends it$`));

    endNow(first.child.pid!);
    await first.outcome;
    expect(await repo.runs()).toEqual({ "p-1": "interrupted", "p-2": "interrupted" });
    repo.openGate();
    const next = await repo.run([...daemon, "--once", "--json"]);
    expect(next.code).toBe(0);
    expect(told(next.stdout, "scheduler.opened")).toMatchObject([{ to_resume: 2, ready: 1 }]);
    const taken = linesOf(next.stdout).flatMap((line) =>
      line.type === "scheduler.resumed" || line.type === "scheduler.started" ? line.bead_id : [],
    );
    expect([taken.slice(0, 2).sort(), taken.slice(2)]).toEqual([["p-1", "p-2"], ["p-3"]]);
    expect(Object.values(await repo.runs())).toEqual(["completed", "completed", "completed"]);
  });

  test("G19 Ctrl-C ends the steps at hand and exits with 130; the runs can go on", async () => {
    using repo = new BusyRepo(2, { id: "p-1", ...gated }, { id: "p-2", ...gated });
    const name = `scheduler-test-${process.pid}`;
    const scheduler = startClew(repo, [...daemon, "--json"], { env: { SCHEDULER_TEST: name } });
    await until(() => repo.marks.length === 2);
    expect(processesWith(name).length).toBeGreaterThan(2);
    expect(await stop(scheduler)).toBe(130);
    expect(processesWith(name)).toEqual([]);
    const { stdout } = await scheduler.outcome;
    expect(told(stdout, "scheduler.interrupted")).toHaveLength(2);
    expect(told(stdout, "scheduler.closed")).toMatchObject([{ interrupted: 2 }]);
    repo.openGate();
    expect((await repo.run(["run", "p-1"])).code).toBe(0);
    expect((await repo.run([...daemon, "--once"])).code).toBe(0);
    expect(repo.marks.filter((mark) => mark.startsWith("end")).sort()).toEqual(["end p-1", "end p-2"]);
  });

  test("G19 a bead that cannot start backs off while others go on, and starts once it is mended", async () => {
    using repo = new BusyRepo(1, { id: "p-bad", priority: 0, labels: ["grimoire:missing"] }, { id: "p-1" });
    const scheduler = startClew(repo, [...daemon, "--json"]);
    await until(() => scheduler.printed().includes("scheduler.idle"));
    const sofar = scheduler.printed();
    expect(told(sofar, "scheduler.backed_off")).toMatchObject([
      { bead_id: "p-bad", failures: 1, wait_ms: 5_000, message: expect.stringContaining("no grimoire missing") },
    ]);
    expect(told(sofar, "scheduler.rested")).toMatchObject([{ bead_id: "p-1", status: "completed" }]);
    repo.addBead({ id: "p-bad", priority: 0, labels: ["grimoire:brief"] });
    // One that comes to be meanwhile.
    repo.addBead({ id: "p-new" });
    await until(() => repo.marks.includes("end p-new"));
    expect(repo.marks.slice(2)).toEqual(["begin p-bad", "end p-bad", "begin p-new", "end p-new"]);
    expect(await stop(scheduler, "SIGTERM")).toBe(130);
    expect(told((await scheduler.outcome).stdout, "scheduler.backed_off")).toHaveLength(1);
  });

  test("G19 with --once what cannot start is told by the exit code, and not waited for", async () => {
    using repo = new BusyRepo(1, { id: "p-bad", labels: ["grimoire:missing"] });
    const { code, stdout } = await repo.run([...daemon, "--once"]);
    expect(code).toBe(1);
    expect(stdout).not.toContain("tried again");
    expect(stdout).toContain("✗ not started: there is no grimoire missing");
  });

  test("G19 where there are no beads, there is nothing to do", async () => {
    using repo = new Repo();
    const { code, stdout, stderr } = await repo.run([...daemon, "--once", "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(linesOf(stdout).map(({ type }) => type)).toEqual(["scheduler.opened", "scheduler.closed"]);
  });

  test("G19 a blocked run holds no place, goes on when a person has said so, and is left alone once cancelled", async () => {
    using repo = new BusyRepo(1, { id: "p-asks", priority: 0, labels: ["grimoire:asks"] }, { id: "p-1" });
    const scheduler = startClew(repo, [...daemon, "--json"]);
    const rested = (): string[] =>
      told(scheduler.printed(), "scheduler.rested").map(({ bead_id, status }) => `${bead_id} ${status}`);
    await until(() => rested().length === 2);
    expect(rested()).toEqual(["p-asks blocked", "p-1 completed"]);
    const { items } = await repo.json<{ items: { id: string }[] }>("inbox");
    expect(items).toHaveLength(1);
    await leaveSignal(repo, { kind: "retry", inputs: {} }, "p-asks");
    await until(() => rested().length === 3);
    expect(rested().at(-1)).toBe("p-asks blocked");
    expect((await repo.run(["run", "cancel", "p-asks"])).code).toBe(0);
    await until(() => told(scheduler.printed(), "scheduler.left").some(({ because }) => because === "cancelled"));
    expect(await stop(scheduler)).toBe(130);
    expect(repo.marks.filter((mark) => mark === "begin p-asks")).toHaveLength(2);
    expect(await repo.runs()).toMatchObject({ "p-asks": "cancelled" });
  });

  test("G19 a crash between the end of a run and that of its bead is made up for", async () => {
    using repo = new BusyRepo(1, { id: "p-1", ...gated });
    const person = startClew(repo, ["run", "p-1"]);
    await until(() => repo.marks.includes("begin p-1"));
    const claim = join(repo.home, "claims/p-1.json");
    const left = [claim, join(repo.root, ".beads/issues.jsonl")].map((path) => ({ path, bytes: readFileSync(path) }));
    repo.openGate();
    expect((await person.outcome).code).toBe(0);
    for (const { path, bytes } of left) writeFileSync(path, bytes);
    expect((await repo.run([...daemon, "--once"])).code).toBe(0);
    expect(existsSync(claim)).toBe(false);
    expect(await repo.json("bead", "show", "p-1")).toMatchObject({ bead: { status: "closed" } });
    expect(repo.marks).toEqual(["begin p-1", "end p-1"]);
  });

  test("G19 two daemons and two people at once: every bead has one run", async () => {
    const ids = Array.from({ length: 4 }, (_, at) => `p-${at}`);
    using repo = new BusyRepo(3, ...ids.map((id) => ({ id })));
    const daemons = [daemon, daemon].map((args) => repo.run([...args, "--once"]));
    const people = ["p-0", "p-3"].map((id) => repo.run(["run", id]));
    const codes = (await Promise.all(daemons)).map(({ code }) => String(code)).sort();
    expect(codes).toEqual(["0", "2"]);
    expect((await Promise.all(people)).map(({ code }) => code)).toEqual([0, 0]);
    expect(await repo.runs()).toEqual(Object.fromEntries(ids.map((id) => [id, "completed"])));
    expect(repo.marks.filter((mark) => mark.startsWith("begin")).sort()).toEqual(ids.map((id) => `begin ${id}`));
  });
});
