import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { writeBead } from "../support/grimoires.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { endNow, treeOf } from "../support/processes.ts";
import { outcomeOf } from "../support/repo.ts";
import { showRun, until } from "../support/runs.ts";

const held = "echo begun > ../../begun; while [ -e ../../hold ]; do sleep 0.02; done; test ! -e ../../fail";

function claims(repo: MergeRepo): Record<string, unknown>[] {
  const folder = join(repo.home, "claims");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Record<string, unknown>);
}

describe("G13 a bead and its run", () => {
  test("G13 in_progress while it runs, is interrupted or waits for review; closed only when it completes", async () => {
    using repo = new MergeRepo(held);
    repo.put("hold", "");
    const child = repo.start(["run", "proj-1"]);
    const ended = outcomeOf(child);
    await until(() => existsSync(join(repo.root, "begun")));
    expect(await repo.beadStatus()).toBe("in_progress");
    const [claim] = claims(repo);
    expect(claim).toMatchObject({ bead: "proj-1", run: (await showRun(repo)).id, pid: child.pid });
    expect(claim!["started"]).toMatch(/./);
    for (const pid of treeOf(child.pid!)) endNow(pid);
    await ended;
    expect([(await showRun(repo)).status, await repo.beadStatus()]).toEqual(["interrupted", "in_progress"]);
    rmSync(join(repo.root, "hold"));
    // Continues, and is no second run.
    expect((await repo.clewRun("start")).code).toBe(0);
    expect(await repo.beadStatus()).toBe("closed");
    const { bead } = await repo.json<{ bead: Record<string, unknown> }>("bead", "show", "proj-1");
    expect(bead).toMatchObject({ started_at: expect.any(String) as string, closed_at: expect.any(String) as string });
    expect(bead["close_reason"]).toContain((await showRun(repo)).id);
    expect(claims(repo)).toEqual([]);
    expect((await repo.json<{ runs: unknown[] }>("run", "list")).runs).toHaveLength(1);
    const again = await repo.clewRun("start");
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("is closed") as string });
  });

  test("G13 blocked when the run blocks, in_progress again when it is retried", async () => {
    using repo = new MergeRepo(held);
    repo.put("fail", "");
    expect((await repo.clewRun("start")).code).toBe(3);
    expect(await repo.beadStatus()).toBe("blocked");
    const waits = await repo.clewRun("start");
    expect(waits).toMatchObject({ code: 3, stdout: expect.stringContaining("clew run retry") as string });
    rmSync(join(repo.root, "fail"));
    expect((await repo.clewRun("retry")).code).toBe(0);
    expect(await repo.beadStatus()).toBe("closed");
  });

  test("G13 open again when the run is cancelled; its worktree moves aside, and the next run has the bead's place", async () => {
    using repo = new MergeRepo("echo mine > half.txt; test -e ../../go");
    await repo.clewRun("start");
    const { id } = await showRun(repo);
    expect((await repo.clewRun("cancel")).code).toBe(0);
    expect(await repo.beadStatus()).toBe("open");
    expect(claims(repo)).toEqual([]);
    expect(repo.text("half.txt", join(repo.root, `.worktrees/proj-1.${id}`))).toBe("mine\n");
    expect(existsSync(repo.worktree)).toBe(false);
    repo.put("go", "");
    expect((await repo.clewRun("start")).code).toBe(4);
    expect((await showRun(repo)).id).not.toBe(id);
    expect((await repo.clewRun("approve")).code).toBe(0);
    const { worktrees } = await repo.json<{ worktrees: { run: string; kept_because: string }[] }>("worktree", "list");
    expect(worktrees).toMatchObject([{ run: id, kept_because: expect.stringContaining("half.txt") as string }]);
  });

  test("G11 a cancelled worktree goes when it is configured so", async () => {
    using repo = new MergeRepo("echo mine > half.txt; false");
    repo.put(".clew/config.yaml", "default_grimoire: flow\nworktree: {keep_cancelled: false}\n");
    await repo.clewRun("start");
    await repo.clewRun("cancel");
    expect(readdirSync(join(repo.root, ".worktrees"))).toEqual([".gitignore"]);
  });

  test("G13 what a person says of the bead meanwhile stays", async () => {
    using repo = new MergeRepo("false");
    await repo.clewRun("start");
    await repo.clew("bead", "close", "proj-1", "-r", "not needed", "--yes");
    await repo.clewRun("cancel");
    expect(await repo.beadStatus()).toBe("closed");
  });

  test("G2 of many that want the bead at once, all get the one run", async () => {
    using repo = new MergeRepo("echo one >> ../../ran");
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => repo.clewRun("start")));
    expect(outcomes.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => 0));
    expect(repo.text("ran")).toBe("one\n");
  });
});

describe("G11 worktrees", () => {
  test("G11 every step runs there, on a branch of its own, and the main checkout stays as it is", async () => {
    using repo = new MergeRepo("pwd; git branch --show-current; cat kept.txt > copy.txt; false");
    repo.put("kept.txt", "changed in the main checkout\n");
    await repo.clewRun("start");
    const { steps, id } = await showRun(repo);
    expect(steps[0]!.output).toBe(`${repo.worktree}\nclew/${id}`);
    expect(repo.text("copy.txt", repo.worktree)).toBe("kept\n");
    expect(repo.text("copy.txt")).toBeUndefined();
    expect(repo.git("status", "--short", "--", ":!.beads", ":!.clew")).toBe(" M kept.txt\n");
  });

  test("G11 setup and copied files come first; a setup that fails blocks with what it printed, and is retried", async () => {
    using repo = new MergeRepo("cat .env made.txt; test -e ../../go");
    repo.put(".git/info/exclude", "made.txt\n");
    repo.put(".env", "local\n");
    const setup = "echo setting up; test -e ../../ready && echo made > made.txt";
    repo.put(".clew/config.yaml", `default_grimoire: flow\nworktree: {setup: "${setup}", copy: [.env]}\n`);
    const failed = await repo.clewRun("start");
    expect(failed.code).toBe(3);
    expect(failed.stdout).toMatch(/worktree\.setup exited with 1[^]*setting up/);
    expect(await repo.beadStatus()).toBe("blocked");
    repo.put("ready", "");
    expect((await repo.clewRun("retry")).code).toBe(3);
    expect((await showRun(repo)).steps.at(-1)).toMatchObject({ output: "local\nmade" });
    // Reused after the block, and not set up again.
    rmSync(join(repo.root, "ready"));
    repo.put("go", "");
    expect((await repo.clewRun("retry")).code).toBe(0);
  });

  test("G11 what somebody put in its place is not touched", async () => {
    using repo = new MergeRepo("true");
    repo.put("mine.txt", "mine\n", repo.worktree);
    const refused = await repo.clewRun("start");
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(".worktrees/proj-1") as string });
    expect(repo.text("mine.txt", repo.worktree)).toBe("mine\n");
    rmSync(repo.worktree, { recursive: true });
    expect((await repo.clewRun("start")).code).toBe(0);
  });
});

describe("clew doctor", () => {
  const findings = async (
    repo: MergeRepo,
    ...more: string[]
  ): Promise<{ check: string; status: string; message: string }[]> =>
    (JSON.parse((await repo.run(["doctor", "--json", ...more])).stdout) as { findings: [] }).findings;
  const about = async (repo: MergeRepo, check: string, ...more: string[]): Promise<string[]> =>
    (await findings(repo, ...more))
      .filter((each) => each.check === check)
      .map(({ status, message }) => `${status} ${message}`);

  test("G2 a claim that a crash left after its run's end closes the bead and goes", async () => {
    using repo = new MergeRepo("true");
    await repo.clewRun("start");
    const { id } = await showRun(repo);
    await repo.clew("bead", "update", "proj-1", "--status", "in_progress");
    const file = join(repo.home, "claims/proj-1.json");
    const claim = { bead: "proj-1", run: id, pid: 999_999, started: "1", boot: "b" };
    writeFileSync(file, JSON.stringify(claim));
    expect(await about(repo, "claims")).toEqual([`warning the claim on proj-1 is nobody's: run ${id} is over`]);
    expect(await about(repo, "claims", "--repair")).toEqual(["repaired let go of proj-1"]);
    expect(await repo.beadStatus()).toBe("closed");
    // The same without the doctor: the next command that asks for the bead.
    await repo.clew("bead", "update", "proj-1", "--status", "in_progress");
    writeFileSync(file, JSON.stringify(claim));
    expect((await repo.clewRun("start")).code).toBe(2);
    expect(await repo.beadStatus()).toBe("closed");
    writeFileSync(file, JSON.stringify({ ...claim, run: null }));
    expect(await about(repo, "claims", "--repair")).toEqual(["repaired let go of proj-1"]);
  });

  test("G2 G13 a crash between a run's first line and all that follows from it makes no second run", async () => {
    using repo = new MergeRepo("false");
    await repo.clewRun("start");
    const { id } = await showRun(repo);
    const undo = async (): Promise<void> => {
      const { started, boot } = { started: "1", boot: "b" };
      writeFileSync(
        join(repo.home, "claims/proj-1.json"),
        JSON.stringify({ bead: "proj-1", run: null, pid: 999_999, started, boot }),
      );
      rmSync(join(repo.home, "state/workflows", `${id}.json`), { force: true });
      writeFileSync(join(repo.home, "state/workflows", "2026-01-01-other.json"), "{}");
      await repo.clew("bead", "update", "proj-1", "--status", "open", "--yes");
    };
    await undo();
    expect(await about(repo, "claims", "--repair")).toEqual([`repaired proj-1 belongs to run ${id}`]);
    await undo();
    expect((await repo.clewRun("start")).code).toBe(3);
    expect((await repo.json<{ runs: { id: string }[] }>("run", "list")).runs.map((run) => run.id)).toEqual([id]);
  });

  test("G13 a bead that cannot be written keeps its claim, and the doctor brings it in line", async () => {
    using repo = new MergeRepo("mv ../../.beads ../../away; touch ../../.beads");
    const { stderr } = await repo.clewRun("start");
    expect(stderr).toContain("proj-1");
    rmSync(join(repo.root, ".beads"));
    renameSync(join(repo.root, "away"), join(repo.root, ".beads"));
    expect(await repo.beadStatus()).toBe("in_progress");
    await findings(repo, "--repair");
    expect(await repo.beadStatus()).toBe("closed");
    expect(claims(repo)).toEqual([]);
  });

  test("G13 an older text of the beads that came back is told and mended", async () => {
    using repo = new MergeRepo("cp ../../.beads/issues.jsonl ../../older");
    await repo.clewRun("start");
    renameSync(join(repo.root, "older"), join(repo.root, ".beads/issues.jsonl"));
    expect(await about(repo, "beads")).toEqual([expect.stringMatching(/^warning proj-1 is in_progress, but/)]);
    await findings(repo, "--repair");
    expect(await repo.beadStatus()).toBe("closed");
  });

  test("G13 a bead that does not say what its run made of it is told, and mended", async () => {
    using repo = new MergeRepo("false");
    await repo.clewRun("start");
    await repo.clew("bead", "update", "proj-1", "--status", "open", "--yes");
    expect(await about(repo, "beads")).toEqual([
      expect.stringMatching(/^warning proj-1 is open, but its run \S+ makes it blocked$/),
    ]);
    expect(await about(repo, "beads", "--repair")).toEqual(["repaired proj-1 is blocked"]);
    expect(await repo.beadStatus()).toBe("blocked");
  });

  test("G10 G11 processes that still run, and a worktree that is gone", async () => {
    using repo = new MergeRepo(`${held}; sleep 0`);
    repo.put("hold", "");
    const child = repo.start(["run", "proj-1"]);
    const ended = outcomeOf(child);
    await until(() => existsSync(join(repo.root, "begun")));
    endNow(child.pid!);
    await ended;
    expect(await about(repo, "runs")).toContainEqual(expect.stringMatching(/^warning processes of \S+ still run: \d+/));
    expect(await about(repo, "runs", "--repair")).toContainEqual(expect.stringMatching(/^repaired ended \d+/));
    expect(await about(repo, "runs")).not.toContainEqual(expect.stringContaining("still run"));
    rmSync(repo.worktree, { recursive: true });
    rmSync(join(repo.root, "hold"));
    expect(await about(repo, "worktrees")).toEqual([expect.stringMatching(/^problem the worktree of \S+ is gone/)]);
    expect(await about(repo, "worktrees", "--repair")).toEqual([expect.stringMatching(/^repaired made /)]);
    expect((await repo.clewRun("resume")).code).toBe(0);
  });

  test("G12 a merge that was cut off is told, and the checkout mended", async () => {
    using repo = new MergeRepo("mkdir many; for i in $(seq 1 2000); do echo $i > many/$i; done");
    await repo.clewRun("start");
    const many = join(repo.root, "many");
    const child = repo.start(["run", "approve", "proj-1"]);
    const ended = outcomeOf(child);
    await until(() => existsSync(many) && readdirSync(many).length > 100);
    for (const pid of treeOf(child.pid!)) endNow(pid);
    await ended;
    expect(readdirSync(many).length).toBeLessThan(2000);
    expect(await about(repo, "runs")).toContainEqual(
      expect.stringMatching(/^problem \S+ was cut off while it landed on main/),
    );
    await findings(repo, "--repair");
    expect(existsSync(many)).toBe(false);
    expect(repo.git("status", "--short", "--", ":!.beads", ":!.clew")).toBe("");
    expect((await repo.clewRun("resume")).code).toBe(0);
    expect(readdirSync(many)).toHaveLength(2000);
  });
});

test("G13 two beads at work do not disturb each other", async () => {
  using repo = new MergeRepo("echo {{.bead.id}} > {{.bead.id}}.txt", { review: false });
  writeBead(repo, { id: "a-1", title: "A" }, { id: "b-1", title: "B" }, { id: "c-1", title: "C" });
  const outcomes = await Promise.all(["a-1", "b-1", "c-1"].map((id) => repo.run(["run", id])));
  expect(outcomes.map(({ code, stdout }) => [code, code === 0 ? "" : stdout])).toEqual([
    [0, ""],
    [0, ""],
    [0, ""],
  ]);
  for (const id of ["a-1", "b-1", "c-1"]) expect(repo.text(`${id}.txt`)).toBe(`${id}\n`);
});
