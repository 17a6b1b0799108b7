import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { ProgramRepo } from "../support/bead-programs.ts";
import { write, writeSteps } from "../support/grimoires.ts";
import { script } from "../support/runs.ts";

const hook = resolve(import.meta.dirname, "../support/kill-before-journal.cjs");

/** A repository with a bead that can be worked on. */
function withBead(name: "bd" | "br", more: Record<string, string> = {}): ProgramRepo {
  const repo = new ProgramRepo(name);
  writeSteps(repo, `- ${JSON.stringify(script("work", "true"))}`);
  write(repo, ".clew/config.yaml", "default_grimoire: flow\nengine: scripted\n");
  repo.store({ id: "p-1", title: "One", dependencies: [], updated_at: "2026-01-01T00:00:00Z", ...more });
  return repo;
}

/** Begins a run and dies between the claim and the run's journal. */
async function die(repo: ProgramRepo): Promise<void> {
  const env = { NODE_OPTIONS: `--require ${JSON.stringify(hook)}`, CLEW_HOME_OF_TEST: repo.home };
  const { code, stderr } = await repo.run(["run", "p-1"], { env });
  expect([code, stderr]).toEqual([null, ""]);
  expect(repo.stored()["p-1"]).toMatchObject({ status: "in_progress", assignee: "me" });
  expect(claims(repo)).toHaveLength(1);
}

function claims(repo: ProgramRepo): string[] {
  const folder = join(repo.home, "claims");
  return existsSync(folder) ? readdirSync(folder) : [];
}

async function doctor(repo: ProgramRepo, ...more: string[]): Promise<string> {
  return (await repo.run(["doctor", ...more])).stdout;
}

describe.each(["bd", "br"] as const)("G2 G13 a claim in %s of a run that never began", (name) => {
  it("G2 G13 is given back by the doctor after a kill", async () => {
    using repo = withBead(name);
    await die(repo);
    expect(await doctor(repo)).toContain("the claim on p-1 is nobody's: a crash came before its run");
    expect(repo.stored()["p-1"]).toMatchObject({ status: "in_progress" });
    expect(await doctor(repo, "--repair")).toContain("let go of p-1");
    expect(repo.stored()["p-1"]).toMatchObject({ status: "open" });
    expect(repo.stored()["p-1"]!.assignee).toBeUndefined();
    expect(claims(repo)).toEqual([]);
  });

  it("G2 G13 is given back at once when the journal cannot be written", async () => {
    using repo = withBead(name);
    mkdirSync(join(repo.home, "logs"), { recursive: true });
    writeFileSync(join(repo.home, "logs/workflows"), "in the way");
    const { code } = await repo.run(["run", "p-1"]);
    expect(code).not.toBe(0);
    expect(repo.writes().filter((args) => args.includes("--claim"))).toHaveLength(1);
    expect(repo.stored()["p-1"]).toMatchObject({ status: "open" });
    expect(repo.stored()["p-1"]!.assignee).toBeUndefined();
    expect(claims(repo)).toEqual([]);
  });
});

describe("G2 G13 after a kill between a claim and its run", () => {
  it("G2 G13 the daemon takes the bead up again", async () => {
    using repo = withBead("bd");
    await die(repo);
    expect(await repo.run(["daemon", "run", "--once"])).toMatchObject({ code: 0 });
    expect(repo.stored()["p-1"]).toMatchObject({ status: "closed" });
  });

  it("G2 G13 another run begins with it", async () => {
    using repo = withBead("bd");
    await die(repo);
    await die(repo);
    expect(await repo.run(["run", "p-1"])).toMatchObject({ code: 0 });
    expect(repo.stored()["p-1"]).toMatchObject({ status: "closed" });
  });

  it("G2 G13 what a person did since stays", async () => {
    using repo = withBead("bd");
    await die(repo);
    const later = new Date(Date.now() + 1).toISOString();
    repo.store({ ...repo.stored()["p-1"]!, updated_at: later });
    expect(await doctor(repo, "--repair")).toContain("let go of p-1");
    expect(repo.stored()["p-1"]).toMatchObject({ status: "in_progress", assignee: "me", updated_at: later });
    expect(claims(repo)).toEqual([]);
  });

  it("G2 G13 a bead that a person had in progress before stays so", async () => {
    using repo = withBead("bd", { status: "in_progress", assignee: "me" });
    repo.behave({ faults: { update: "kill" } });
    expect((await repo.run(["run", "p-1"])).code).toBe(null);
    repo.behave({});
    await doctor(repo, "--repair");
    expect(repo.stored()["p-1"]).toMatchObject({ status: "in_progress", assignee: "me" });
    expect(claims(repo)).toEqual([]);
  });

  it("G2 G13 nothing is guessed where the kill came during the claim", async () => {
    using repo = withBead("bd");
    repo.behave({ faults: { update: "kill" } });
    expect((await repo.run(["run", "p-1"])).code).toBe(null);
    repo.behave({});
    const said = await doctor(repo, "--repair");
    expect(said).toContain("nobody can tell whether p-1 is in progress by that run");
    expect(said).toContain("clew bead reopen p-1");
    expect(repo.stored()["p-1"]).toMatchObject({ status: "in_progress" });
    await repo.clew("bead", "reopen", "p-1");
    await doctor(repo, "--repair");
    expect(claims(repo)).toEqual([]);
    expect(await repo.run(["run", "p-1"])).toMatchObject({ code: 0 });
  });
});
