import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { RunFolder } from "../../../test/support/run-host.ts";
import type { Claims, ClaimQuestions } from "../../app/run/ports.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { sqliteLocks } from "../files/lock.ts";
import { claimFiles } from "./claim-files.ts";

function claimsIn(folder: RunFolder): Claims {
  const locks = sqliteLocks(join(folder.root, "locks"));
  const self = { pid: process.pid, started: "now", boot: "b" };
  return claimFiles({
    disk: nodeDisk,
    folder: join(folder.root, "claims"),
    locks: async () => locks,
    self: () => self,
    isAlive: ({ pid }) => pid === self.pid,
    refuseWork: () => undefined,
  });
}

const asks = (run: string, more: Partial<ClaimQuestions> = {}): ClaimQuestions => ({
  isOpen: () => true,
  find: () => undefined,
  settle: async () => undefined,
  start: async () => run,
  giveBack: async () => true,
  ...more,
});

it("G13 of several that want a bead at once, one starts a run and all get that one", async () => {
  using folder = new RunFolder();
  let started = 0;
  const start = async (): Promise<string> => `run-${++started}`;
  const given = await Promise.all(
    Array.from({ length: 8 }, () => claimsIn(folder).claim("proj-1", asks("", { start }))),
  );
  expect(started).toBe(1);
  expect(given.filter(({ isNew }) => isNew)).toHaveLength(1);
  expect(new Set(given.map(({ runId }) => runId))).toEqual(new Set(["run-1"]));
});

it("G13 a run that ended, or that released its bead, holds it no longer; another's release changes nothing", async () => {
  using folder = new RunFolder();
  const claims = claimsIn(folder);
  await claims.claim("proj-1", asks("one"));
  expect(await claims.claim("proj-1", asks("two", { isOpen: () => false }))).toEqual({ runId: "two", isNew: true });
  await claims.release("proj-1", "one");
  expect(await claims.claim("proj-1", asks("three"))).toEqual({ runId: "two", isNew: false });
  await claims.release("proj-1", "two");
  expect(await claims.claim("proj-1", asks("four"))).toEqual({ runId: "four", isNew: true });
});

it("G13 a claim that a crash left without its run, or damaged, is settled by looking at all runs", async () => {
  using folder = new RunFolder();
  const file = join(folder.root, "claims", "proj-1.json");
  for (const left of ['{"bead":"proj-1","run":null}', "", "{"]) {
    mkdirSync(join(folder.root, "claims"), { recursive: true });
    writeFileSync(file, left);
    expect(await claimsIn(folder).claim("proj-1", asks("new", { find: () => "made" }))).toEqual({
      runId: "made",
      isNew: false,
    });
    expect(await claimsIn(folder).claim("proj-1", asks("new"))).toEqual({ runId: "made", isNew: false });
  }
});

it("G13 a run that could not be started leaves the bead free", async () => {
  using folder = new RunFolder();
  const fails = asks("", { start: () => Promise.reject(new Error("no such grimoire")) });
  await expect(claimsIn(folder).claim("../../etc", fails)).rejects.toThrow("no such grimoire");
  expect(await claimsIn(folder).claim("../../etc", asks("ok"))).toEqual({ runId: "ok", isNew: true });
});

it("G13 a claim of the first versions, under another name and without a process, holds, and goes with its run", async () => {
  using folder = new RunFolder();
  const claimsFolder = join(folder.root, "claims");
  const earlier = join(claimsFolder, `${Buffer.from("proj-1").toString("base64url")}.json`);
  const leave = (): void => {
    mkdirSync(claimsFolder, { recursive: true });
    writeFileSync(earlier, '{"bead":"proj-1","run":"one"}\n');
  };
  const claims = claimsIn(folder);
  leave();
  expect(claims.all()).toEqual([{ bead: "proj-1", run: "one", isDriven: false, driver: { pid: 0, started: "" } }]);
  expect(await claims.claim("proj-1", asks("two"))).toEqual({ runId: "one", isNew: false });
  await claims.drive("proj-1", "one");
  expect(readdirSync(claimsFolder)).toEqual(["proj-1.json"]);
  leave();
  await claims.release("proj-1", "one");
  expect(readdirSync(claimsFolder)).toEqual([]);
  // A file that is another bead's stays.
  writeFileSync(earlier, '{"bead":"other","run":"one"}\n');
  await claims.release("proj-1", "one");
  expect([claims.holder("proj-1"), readdirSync(claimsFolder).length]).toEqual([undefined, 1]);
});
