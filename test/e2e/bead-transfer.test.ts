import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Bead } from "../../src/contract/bead.ts";
import { beadFile, beadsOf, placeBeads } from "../support/bead-file.ts";
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
    expect(JSON.parse(stdout)).toEqual({
      added: 1,
      updated: 1,
      left: 2,
      passed_over: 1,
      ids: { added: ["p-4"], updated: ["p-1"], left: ["p-2", "p-3"] },
    });
    expect(beadsOf(repo).map(({ title }) => title)).toEqual(["New", "Newer here", "", "Fresh"]);
    expect(beadsOf(repo)[0]).toMatchObject({ own: 1, theirs: { x: 1 } });
    const exported = (await repo.clew("bead", "export")).split("\n").map((line) => JSON.parse(line) as Bead);
    expect(exported.map(({ id }) => id)).toEqual(["p-1", "p-2", "p-3", "p-4"]);
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

  it("G2 values keep their letters through import and export", async () => {
    using repo = new Repo();
    const odd =
      '{"id":"p-1","title":"\\u0041","n":12345678901234567890,"m":{"a": 2.50},"big":1e400,"x":1,"x":2,' +
      '"updated_at":"2026-02-01T00:00:00Z"}';
    await repo.run(["bead", "import", "-"], { input: odd });
    expect(readFileSync(beadFile(repo), "utf8")).toBe(`${odd}\n`);
    expect(await repo.clew("bead", "export")).toBe(odd);
    const old = '{"id": "p-1", "title": "Old", "own": 1.0, "n": 1, "updated_at": "2026-01-01T00:00:00Z"}';
    placeBeads(repo, `{"_type":"config","y":1.0}\n{"id":"p-0","title":"twin"}\n${old}`);
    const { stdout } = await repo.run(["bead", "import", "-"], { input: odd });
    expect(stdout).toBe("0 added, 1 updated, 0 left as they were\n  updated p-1\n");
    const merged =
      '{"id": "p-1", "title": "\\u0041", "own": 1.0, "n": 12345678901234567890, ' +
      '"updated_at": "2026-02-01T00:00:00Z", "m": {"a": 2.50}, "big": 1e400, "x": 2}';
    expect(readFileSync(beadFile(repo), "utf8").split("\n")[2]).toBe(merged);
    placeBeads(repo, `{"_type":"config","y":1.0}\n{"id":"p-0","title":"twin"}\n\n{"id":"p-0","title":"T" }\r\n`);
    expect(await repo.clew("bead", "export")).toBe('{"_type":"config","y":1.0}\n{"id":"p-0","title":"T" }');
  });

  it("G2 an imported secret is taken out, and the rest of the line stays", async () => {
    using repo = new Repo();
    const secret = ["gh", "p_", "a1B2".repeat(9)].join("");
    await repo.run(["bead", "import", "-"], { input: `{"id":"p-1","title":"A","n":2.50,"notes":"${secret}"}` });
    const text = readFileSync(beadFile(repo), "utf8");
    expect(text).toMatch(/^\{"id":"p-1","title":"A","n":2\.50,"notes":"/);
    expect(text).not.toContain(secret);
  });

  it("G2 the last line of an id counts, and what is not UTF-8 or damaged here is refused", async () => {
    using repo = new Repo();
    const twice = '{"id":"p-1","title":"First"}\n{"id":"p-1","title":"Last"}\n';
    expect(JSON.parse((await repo.run(["bead", "import", "-", "--json"], { input: twice })).stdout)).toMatchObject({
      added: 1,
      left: 0,
    });
    expect(beadsOf(repo)).toEqual([{ id: "p-1", title: "Last" }]);
    const bytes = Buffer.from([...Buffer.from('{"id":"p-2","title":"B"}\n{"id":"p-3","title":"'), 0xff, 0x22, 0x7d]);
    writeFileSync(join(repo.root, "in.jsonl"), bytes);
    expect((await repo.refused(["bead", "import", "in.jsonl"])).message).toBe("in.jsonl:2: not UTF-8");
    placeBeads(repo, '{"id":"p-1","title":');
    expect((await repo.refused(["bead", "import", "-"], { input: twice })).message).toBe(
      ".beads/issues.jsonl:1: not a JSON object",
    );
    expect(readFileSync(beadFile(repo), "utf8")).toBe('{"id":"p-1","title":');
  });

  it("G2 a circle that an import brings is refused, one that was here is not its fault", async () => {
    using repo = new Repo();
    const bead = (id: string, type: string, target: string, more: object = {}): string =>
      `${JSON.stringify({ id, title: id, dependencies: [{ issue_id: id, depends_on_id: target, type }], ...more })}\n`;
    const here = bead("p-a", "blocks", "p-b") + bead("p-b", "blocks", "p-a") + bead("p-c", "parent-child", "p-d");
    placeBeads(repo, here);
    const { message } = await repo.refused(["bead", "import", "-"], { input: bead("p-d", "blocks", "p-c") });
    expect(message).toContain("p-d → p-c → p-d");
    expect(readFileSync(beadFile(repo), "utf8")).toBe(here);
    const newer = { notes: "N", updated_at: "2026-01-01T00:00:00Z" };
    const { code } = await repo.run(["bead", "import", "-"], { input: bead("p-a", "blocks", "p-b", newer) });
    expect(code).toBe(0);
    expect(await repo.clew("bead", "show", "p-a")).toContain("↻ it waits for itself: p-a → p-b → p-a");
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
