import { describe, expect, it } from "vitest";
import type { Bead } from "../../src/contract/bead.ts";
import { beadsOf, placeBeads } from "../support/bead-file.ts";
import { Repo } from "../support/repo.ts";

describe("G2 import and export", () => {
  it("G2 import adds, updates what is newer, leaves the rest, and keeps unknown fields", async () => {
    using repo = new Repo();
    placeBeads(
      repo,
      '{"id":"p-1","title":"Old","own":1,"updated_at":"2026-01-01T00:00:00Z"}\n' +
        '{"id":"p-2","title":"Newer here","updated_at":"2026-03-01T00:00:00Z"}\n' +
        '{"id":"p-3","title":"","status":"tombstone"}\n',
    );
    const input = [
      { id: "p-1", title: "New", theirs: { x: 1 }, updated_at: "2026-02-01T00:00:00Z" },
      { id: "p-2", title: "Older", updated_at: "2026-02-01T00:00:00Z" },
      { id: "p-3", title: "Deleted here", updated_at: "2026-02-01T00:00:00Z" },
      { _type: "memory", key: "k" },
      { id: "p-4", title: "Fresh" },
    ];
    const { stdout } = await repo.run(["bead", "import", "-", "--json"], {
      input: input.map((each) => `${JSON.stringify(each)}\n`).join(""),
    });
    expect(JSON.parse(stdout)).toEqual({ added: 1, updated: 1, left: 2, passed_over: 1 });
    expect(beadsOf(repo).map(({ title }) => title)).toEqual(["New", "Newer here", "", "Fresh"]);
    expect(beadsOf(repo)[0]).toMatchObject({ own: 1, theirs: { x: 1 } });
    const exported = (await repo.clew("bead", "export")).split("\n").map((line) => JSON.parse(line) as Bead);
    expect(exported.map(({ id }) => id)).toEqual(["p-1", "p-2", "p-4"]);
  });

  it("G2 import takes all or nothing, and names every wrong line", async () => {
    using repo = new Repo();
    const input =
      '{"id":"p-1","title":"A"}\n{\n\n{"id":"../x","title":"B"}\n{"id":"p-2"}\n{"id":"p-3","title":"C","priority":"high"}\n';
    const { message } = await repo.refused(["bead", "import", "-"], { input });
    expect(message.split("\n").map((line) => line.slice(0, 8))).toEqual([
      "stdin:2:",
      "stdin:4:",
      "stdin:5:",
      "stdin:6:",
    ]);
    expect(beadsOf(repo)).toEqual([]);
  });

  it("G2 export writes a new file and never over one", async () => {
    using repo = new Repo();
    const id = await repo.clew("bead", "create", "One");
    await repo.clew("bead", "export", "out.jsonl");
    expect((await repo.refused(["bead", "export", "out.jsonl"])).message).toContain("is there already");
    using other = new Repo();
    const { code } = await other.run(["bead", "import", `${repo.root}/out.jsonl`]);
    expect(code).toBe(0);
    expect(beadsOf(other).map((bead) => bead.id)).toEqual([id]);
  });
});
