import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { BeadList } from "../../src/app/bead/ports.ts";
import { beadFile } from "../support/bead-file.ts";
import { ProgramRepo } from "../support/bead-programs.ts";

describe("G2 a list with something in it that is no bead", () => {
  it.each(["bd", "br"] as const)("G2 of %s shows all others, and names it", async (name) => {
    using repo = new ProgramRepo(name, { behaviour: { faults: { list: "odd" } } });
    repo.store({ id: "p-1", title: "One" });
    const { beads, unreadable } = await repo.json<BeadList>("bead", "list");
    expect(beads).toMatchObject([{ id: "p-1" }]);
    expect(unreadable).toEqual([
      { place: `${name} list, item 2`, reason: "not a JSON object" },
      { place: `${name} list, item 3`, reason: "not a JSON object" },
    ]);
    expect(await repo.clew("bead", "ready")).toMatch(/p-1[^]*unreadable +\w+ list, item 2/);
    expect(await repo.clew("bead", "show", "p-1")).toContain("One");
  });
});

describe("G2 a write through a program", () => {
  it("G2 that succeeded is no failure because the list could not be read", async () => {
    using repo = new ProgramRepo("bd", { behaviour: { faults: { list: "fail" } } });
    expect(await repo.clew("bead", "create", "One")).toBe("bd-1");
    expect(Object.keys(repo.stored())).toEqual(["bd-1"]);
  });

  it("G2 that was made and cannot be shown says so, so that nobody repeats it", async () => {
    using repo = new ProgramRepo("bd", { behaviour: { faults: { show: "half" } } });
    const { message, hint } = await repo.refused(["bead", "create", "One"]);
    expect(message).toBe("bd made bd-1, and then: bd show printed no JSON that clew can read");
    expect(hint).toContain("do not create it again");
    expect(hint).toContain("done before that: bd create");
  });

  it("G2 of several calls tells which were made", async () => {
    using repo = new ProgramRepo("bd");
    repo.store({ id: "bd-1", title: "One" });
    repo.behave({ faults: { close: "fail" } });
    const args = ["bead", "update", "bd-1", "--title", "Other", "--status", "closed"];
    const { message, hint } = await repo.refused(args);
    expect(message).toBe("bd close failed: the database is locked");
    expect(hint).toContain("done before that: bd update; bd show bd-1 tells what there is now");
    repo.behave({ faults: { update: "fail" } });
    const again = await repo.refused(["bead", "update", "bd-1", "-p", "0"]);
    expect(again.hint).toContain("nothing was written");
  });

  it("G2 without a database is not taken for a bead that is not there", async () => {
    using repo = new ProgramRepo("bd");
    repo.store({ id: "bd-1", title: "One" });
    repo.behave({ faults: { show: "no database" } });
    expect((await repo.refused(["bead", "update", "bd-1", "-p", "0"])).message).toBe(
      "bd show failed: database not found",
    );
  });

  it.each(["bd", "br"] as const)(
    "G2 of a text that %s cannot be given is refused before anything is written",
    async (name) => {
      using repo = new ProgramRepo(name);
      repo.store({ id: "p-1", title: "One", labels: [] });
      const long = "x".repeat(125_000);
      const refused = async (...args: string[]): Promise<string> =>
        (await repo.refused(["bead", "update", "p-1", ...args], { input: long })).message;
      expect(await refused("--title", "Other", "--notes", long)).toBe(
        `notes has 125000 bytes, and ${name} takes no more than 120000`,
      );
      expect(repo.writes()).toEqual([]);
      if (name === "br") expect(await refused("-d", "-")).toContain("description has 125000 bytes");
      else {
        await repo.run(["bead", "update", "p-1", "-d", "-"], { input: long });
        expect(repo.stored()["p-1"]!.description).toBe(long);
      }
    },
  );

  it("G2 that leaves a server behind does not keep clew", async () => {
    using repo = new ProgramRepo("bd", { behaviour: { faults: { list: "server", create: "server" } } });
    try {
      expect(await repo.clew("bead", "create", "One")).toBe("bd-1");
    } finally {
      for (const pid of servers(repo)) process.kill(pid, "SIGKILL");
    }
  });
});

function servers(repo: ProgramRepo): number[] {
  const file = beadFile(repo, "servers");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
}
