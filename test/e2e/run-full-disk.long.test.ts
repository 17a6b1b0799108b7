import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { clew, git, put, runClew, statusIn, textIn } from "../support/folders.ts";
import type { Outcome, Refusal } from "../support/repo.ts";
import { canMount, SmallDisk } from "../support/small-disk.ts";
import { script } from "../support/runs.ts";

/** Changes and new files that need some room, in a checkout as in git. */
const work = `
head -c 200000 /dev/urandom > tracked.bin
head -c 200000 /dev/urandom > new.bin
for name in a b c d; do head -c 20000 /dev/urandom > $name.bin; done
echo four >> shared.txt
`;

/** A repository on a small disk, with a bead and a grimoire that ends in a merge. */
async function repositoryOn(disk: SmallDisk, after = "true"): Promise<{ cwd: string; bead: string }> {
  const cwd = join(disk.path, "repo");
  mkdirSync(cwd);
  git(cwd, "init", "-q", "-b", "main");
  put(cwd, "shared.txt", "one\ntwo\nthree\n");
  writeFileSync(join(cwd, "tracked.bin"), Buffer.alloc(300_000, "tracked"));
  const steps = [script("work", work), script("after", after), { name: "merge", type: "merge" }];
  const lines = steps.map((step) => `  - ${JSON.stringify(step)}\n`).join("");
  put(cwd, ".clew/grimoires/flow.yaml", `name: flow\ndescription: For a test.\nsteps:\n${lines}`);
  put(cwd, ".clew/config.yaml", "default_grimoire: flow\nengine: scripted\n");
  git(cwd, "add", "--all");
  git(cwd, "commit", "-q", "-m", "first");
  return { cwd, bead: await clew({ cwd }, "bead", "create", "One") };
}

/** The error that a command ended with; what came before it are events. */
function errorOf({ stdout }: Outcome): Refusal | undefined {
  return (JSON.parse(stdout.trimEnd().split("\n").at(-1)!) as { error?: Refusal }).error;
}

const full = { code: "disk_full", hint: expect.stringContaining("free some space") as string };

describe.runIf(canMount())("bad places: no room for a run", () => {
  test("G12 G16 a disk that fills up while a merge lands: named, nothing half landed, and approve goes on", async () => {
    using disk = new SmallDisk("8m");
    const { cwd, bead } = await repositoryOn(disk);
    expect((await runClew({ cwd }, "run", bead)).code).toBe(4);
    const merges = (): string => git(cwd, "log", "--format=%s", "--grep=^Merge");
    // From no room for the approval itself to room for all but the last file.
    for (const leaveBytes of [0, 4096, 8192, 16_384, 40_960, 102_400, 245_760]) {
      disk.fill(leaveBytes);
      const outcome = await runClew({ cwd }, "run", "approve", bead, "--json");
      disk.free();
      expect([leaveBytes, outcome.code, errorOf(outcome)]).toEqual([leaveBytes, 1, expect.objectContaining(full)]);
      expect([leaveBytes, statusIn(cwd), merges()]).toEqual([leaveBytes, "", ""]);
    }
    const { runs } = JSON.parse(await clew({ cwd }, "run", "list", "--json")) as { runs: { status: string }[] };
    expect(runs).toMatchObject([{ status: "interrupted" }]);
    expect((await runClew({ cwd }, "run", "approve", bead)).code).toBe(0);
    expect([statusIn(cwd), merges(), textIn(cwd, "shared.txt")]).toEqual([
      "",
      `Merge ${bead}: One`,
      "one\ntwo\nthree\nfour\n",
    ]);
    expect(existsSync(join(cwd, ".git/clew/mended"))).toBe(false);
    expect(await clew({ cwd }, "doctor")).not.toMatch(/^[✗!] (?!engine )/m);
  });

  test("G11 G16 a disk that fills up while the worktree is made: named, and the same command goes on", async () => {
    using disk = new SmallDisk("8m");
    const { cwd, bead } = await repositoryOn(disk);
    for (const leaveBytes of [0, 40_960, 65_536, 122_880, 245_760]) {
      disk.fill(leaveBytes);
      const outcome = await runClew({ cwd }, "run", bead, "--json");
      disk.free();
      expect([leaveBytes, outcome.code, errorOf(outcome)]).toEqual([leaveBytes, 1, expect.objectContaining(full)]);
      expect(statusIn(cwd)).toBe("");
    }
    expect((await runClew({ cwd }, "run", bead)).code).toBe(4);
    expect((await runClew({ cwd }, "run", "approve", bead)).code).toBe(0);
    expect(await clew({ cwd }, "doctor")).not.toMatch(/^[✗!] (?!engine )/m);
  });

  test("G12 G16 a disk that is full when the merge is offered: named, and the same command goes on", async () => {
    using disk = new SmallDisk("8m");
    const { cwd, bead } = await repositoryOn(disk, disk.fillCommand(65_536));
    const outcome = await runClew({ cwd }, "run", bead, "--json");
    expect([outcome.code, errorOf(outcome)]).toEqual([1, expect.objectContaining(full)]);
    disk.free();
    expect((await runClew({ cwd }, "run", bead)).code).toBe(4);
    expect((await runClew({ cwd }, "run", "approve", bead)).code).toBe(0);
  });
});
