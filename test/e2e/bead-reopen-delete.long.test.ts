import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Bead } from "../../src/contract/bead.ts";
import { beadFile, beadsOf, placeBeads } from "../support/bead-file.ts";
import { writeBead } from "../support/grimoires.ts";
import { Repo } from "../support/repo.ts";
import { RunRepo } from "../support/run-repo.ts";
import { script } from "../support/runs.ts";
import { hasTerminals, onTerminal } from "../support/terminal.ts";

const lines = [
  { id: "proj-a1f", title: "One", status: "closed", closed_at: "2026-01-01T00:00:00Z", close_reason: "done", own: 1 },
  { id: "proj-b2f", title: "Two", issue_type: "bug" },
  {
    id: "proj-b2g",
    title: "Three",
    dependencies: [{ issue_id: "proj-b2g", depends_on_id: "proj-b2f", type: "blocks" }],
  },
];

const edge = (id: string, target: string): object => ({ issue_id: id, depends_on_id: target, type: "blocks" });

/** A bead whose run is blocked, which is not over. */
async function blockedRepo(): Promise<RunRepo> {
  const repo = new RunRepo(`- ${JSON.stringify(script("work", "exit 1"))}`);
  await repo.run(["run", "proj-1"]);
  return repo;
}

describe("G2 clew bead reopen", () => {
  it("G2 takes closed beads up again, named as short as it can be told", async () => {
    using repo = new Repo();
    writeBead(repo, ...lines);
    const { bead } = await repo.json<{ bead: Bead }>("bead", "reopen", "a1");
    expect(bead).toMatchObject({ id: "proj-a1f", status: "open", own: 1 });
    expect(bead).not.toHaveProperty("closed_at");
    expect(bead).not.toHaveProperty("close_reason");
    expect(await repo.clew("bead", "reopen", "a1f", "b2f")).toBe("proj-a1f is open already\nproj-b2f is open already");
    expect(await repo.json("bead", "reopen", "a1f", "b2f")).toMatchObject({
      beads: [{ id: "proj-a1f" }, { id: "proj-b2f" }],
    });
    expect(await repo.refused(["bead", "reopen", "a1f", "b2"])).toMatchObject({
      code: "ambiguous_bead",
      hint: "one of proj-b2f, proj-b2g",
    });
    expect(await repo.clew("bead", "reopen", "--help")).toContain("$ clew bead reopen a3f");
  });

  it("G2 G13 asks before it speaks against a run", async () => {
    using repo = await blockedRepo();
    expect((await repo.refused(["bead", "reopen", "1"])).message).toMatch(/^run \S+ of proj-1 is blocked, not over$/);
    await repo.clew("bead", "reopen", "1", "--yes");
    expect(beadsOf(repo)[0]).toMatchObject({ status: "open" });
  });
});

describe("G2 clew bead delete", () => {
  it("G2 leaves a tombstone in the bead's line, and no other byte changes", async () => {
    using repo = new Repo();
    writeBead(repo, ...lines);
    const before = readFileSync(beadFile(repo), "utf8").split("\n");
    const env = { USER: "me" };
    const { stdout } = await repo.run(["bead", "delete", "b2f", "-r", "made twice", "--yes", "--json"], { env });
    const { bead, released } = JSON.parse(stdout) as { bead: Bead; released: string[] };
    expect(released).toEqual(["proj-b2g"]);
    expect(bead).toMatchObject({
      id: "proj-b2f",
      status: "tombstone",
      original_type: "bug",
      deleted_by: "me",
      delete_reason: "made twice",
    });
    expect(Number.isNaN(Date.parse(bead["deleted_at"] as string))).toBe(false);
    const after = readFileSync(beadFile(repo), "utf8").split("\n");
    expect(after.toSpliced(1, 1)).toEqual(before.toSpliced(1, 1));
    expect((await repo.json<{ beads: Bead[] }>("bead", "list", "--all")).beads.map(({ id }) => id)).not.toContain(
      "proj-b2f",
    );
    // No bead waits for one that is not there.
    expect((await repo.json<{ beads: Bead[] }>("bead", "ready")).beads.map(({ id }) => id)).toEqual(["proj-b2g"]);
    const gone = new RegExp(
      `^proj-b2f was deleted at ${(bead["deleted_at"] as string).slice(0, 10)} \\d\\d:\\d\\d UTC$`,
    );
    for (const args of [
      ["bead", "delete", "proj-b2f"],
      ["bead", "reopen", "B2F"],
      ["bead", "create", "x", "--dep", "b2f"],
      ["run", "b2f"],
      ["run", "show", "b2f"],
      ["grimoire", "preview", "implement-bead", "--bead", "b2f"],
    ]) {
      expect((await repo.refused(args)).message).toMatch(gone);
    }
    expect(await repo.clew("bead", "delete", "--help")).toContain("$ clew bead delete a3f");
  });

  it("G2 says who depends on the bead and would be ready, and needs --yes without a terminal", async () => {
    using repo = new Repo();
    const needs = (id: string, type: string, ...targets: string[]): object => ({
      id,
      title: id,
      dependencies: targets.map((target) => ({ issue_id: id, depends_on_id: target, type })),
    });
    writeBead(
      repo,
      needs("p-a", "blocks"),
      needs("p-b", "blocks", "p-a"),
      needs("p-c", "waits-for", "p-a", "p-b"),
      needs("p-d", "related", "p-a"),
      { ...needs("p-e", "blocks"), status: "closed" },
      needs("p-f", "blocks", "p-e"),
    );
    const before = readFileSync(beadFile(repo), "utf8");
    expect(await repo.refused(["bead", "delete", "a"])).toEqual({
      code: "usage",
      message: "p-b, p-c depend on p-a; ready without it: p-b",
      hint: "clew bead delete p-a --yes deletes it all the same",
    });
    expect(readFileSync(beadFile(repo), "utf8")).toBe(before);
    // No bead waits for one that is done, or is merely related.
    expect(await repo.clew("bead", "delete", "p-d")).toBe("Deleted p-d");
    expect(await repo.clew("bead", "delete", "p-e")).toBe("Deleted p-e");
    expect(await repo.clew("bead", "delete", "p-a", "--yes")).toBe("Deleted p-a; ready now: p-b");
  });

  it.runIf(hasTerminals)("G2 asks on a terminal before others are released", async () => {
    using repo = new Repo();
    writeBead(repo, ...lines);
    const question = "proj-b2g depends on proj-b2f; ready without it: proj-b2g. Delete proj-b2f?";
    const no = await onTerminal(repo, ["bead", "delete", "b2f"], {
      columns: 200,
      types: [["Delete proj-b2f?", "n\r"]],
    });
    expect([no.code, no.lines.join("\n")]).toEqual([130, expect.stringContaining(question)]);
    expect(beadsOf(repo)[1]).not.toHaveProperty("status");
    const yes = await onTerminal(repo, ["bead", "delete", "b2f"], { types: [["Delete proj-b2f?", "y\r"]] });
    expect([yes.code, yes.lines.join("\n")]).toEqual([0, expect.stringContaining("ready now: proj-b2g")]);
  });

  it("G2 what depends on a deleted bead is told that it was deleted and when, not that it is missing", async () => {
    using repo = new Repo();
    writeBead(repo, ...lines, { ...lines[2], id: "proj-c3", dependencies: [edge("proj-c3", "proj-nowhere")] });
    const { bead } = await repo.json<{ bead: Bead }>("bead", "delete", "b2f", "--yes");
    expect(await repo.json("bead", "show", "b2g")).toMatchObject({
      ready: true,
      missing: [],
      deleted: [{ id: "proj-b2f", at: bead["deleted_at"] }],
    });
    const day = /\d{4}-\d\d-\d\d \d\d:\d\d/.source;
    expect(await repo.clew("bead", "show", "b2g")).toMatch(new RegExp(`^  deleted +proj-b2f, ${day} `, "m"));
    expect(await repo.clew("bead", "show", "b2g")).not.toContain("missing");
    const graph = await repo.clew("bead", "graph");
    expect(graph).toMatch(new RegExp(`needs × proj-b2f  deleted ${day}$`, "m"));
    expect(graph).toContain("needs ? proj-nowhere  missing");
    expect(await repo.clew("bead", "dep", "remove", "b2g", "b2f")).toBe("proj-b2g no longer depends on proj-b2f");
  });

  it("G2 G13 a bead with a run that is not over is not deleted, and the run is named", async () => {
    using repo = await blockedRepo();
    const { message, hint } = await repo.refused(["bead", "delete", "1"]);
    const runId = await repo.runId();
    expect(message).toBe(`run ${runId} of proj-1 is blocked, not over`);
    expect(hint).toContain(`clew run cancel ${runId}`);
    await repo.run(["run", "cancel", "1"]);
    await repo.clew("bead", "delete", "1");
    expect(beadsOf(repo)[0]).toMatchObject({ status: "tombstone" });
  });
});

describe("G2 clew bead import", () => {
  it.each(["closed", "tombstone", "open"])(
    "G2 G13 does not make a bead %s whose run is not over, unless told so",
    async (status) => {
      using repo = await blockedRepo();
      const newer = { id: "proj-1", title: "Newer", status, updated_at: "2099-01-01T00:00:00Z" };
      const input = `${JSON.stringify({ id: "proj-7", title: "New" })}\n${JSON.stringify(newer)}\n`;
      const { code, message } = await repo.refused(["bead", "import", "-"], { input });
      expect([code, message]).toEqual(["not_possible_now", `run ${await repo.runId()} of proj-1 is blocked, not over`]);
      expect(beadsOf(repo)).toHaveLength(1);
      expect((await repo.run(["bead", "import", "-", "--yes"], { input })).code).toBe(0);
      expect(beadsOf(repo)).toMatchObject([{ id: "proj-1", status }, { id: "proj-7" }]);
    },
  );
});

describe("G2 short names of beads", () => {
  it("G2 one letter is enough where it fits one, and capital letters are none to care about", async () => {
    using repo = new Repo();
    writeBead(repo, ...lines, { id: "proj-b.1", title: "A part" });
    const shown = async (name: string): Promise<string> =>
      (await repo.json<{ bead: Bead }>("bead", "show", name)).bead.id;
    expect(await shown("a")).toBe("proj-a1f");
    expect(await shown("PROJ-A1F")).toBe("proj-a1f");
    expect(await shown("B2F")).toBe("proj-b2f");
    expect(await shown("Proj-B.1")).toBe("proj-b.1");
    expect((await repo.refused(["bead", "show", "B"])).code).toBe("ambiguous_bead");
    expect((await repo.refused(["bead", "show", "z"])).code).toBe("unknown_bead");
  });

  it("G2 are taken wherever a bead is named, and told apart where they may be several", async () => {
    using repo = new RunRepo(`- ${JSON.stringify(script("work", "exit 1"))}`);
    placeBeads(repo, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const both = { code: "ambiguous_bead", message: "b2 may be 2 beads", hint: "one of proj-b2f, proj-b2g" };
    for (const args of [
      ["bead", "show"],
      ["bead", "close"],
      ["bead", "delete"],
      ["grimoire", "preview", "flow", "--bead"],
      ["run"],
    ]) {
      expect(await repo.refused([...args, "b2"])).toEqual(both);
    }
    for (const args of [
      ["--dep", "b2"],
      ["--parent", "b2"],
    ]) {
      expect(await repo.refused(["bead", "create", "x", ...args])).toEqual(both);
    }
    const preview = JSON.parse((await repo.run(["grimoire", "preview", "flow", "--bead", "b2f", "--json"])).stdout) as {
      bead: Bead;
    };
    expect(preview.bead.id).toBe("proj-b2f");
    expect((await repo.run(["run", "b2f"])).code).toBe(3);
    expect((await repo.run(["run", "b2g", "--anyway"])).code).toBe(3);
    for (const words of [["show"], ["diff"], ["log"], ["retry"], ["cancel"]]) {
      expect(await repo.refused(["run", ...words, "b2"])).toEqual(both);
    }
    expect(await repo.json("run", "show", "b2f")).toMatchObject({ run: { bead_id: "proj-b2f" } });
    expect((await repo.run(["run", "cancel", "b2f"])).code).toBe(0);
  });
});
