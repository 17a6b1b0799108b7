import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Bead } from "../../src/contract/bead.ts";
import { outcomeOf, Repo } from "../support/repo.ts";
import { beadFile, beadsOf, placeBeads } from "../support/bead-file.ts";

describe("G2 the file of beads", () => {
  it("G2 an update changes one line and no other byte of an odd file", async () => {
    using repo = new Repo();
    const lines = [
      '\uFEFF{"_type":"config","id":"p-1","x": 1}',
      '{ "zeta" : 12345678901234567890, "id" : "p-1" , "title":"Old twin" }',
      "",
      "<<<<<< HEAD",
      '{"id":"p-0","title":"gone","status":"tombstone"}',
      '{"own":"\\u003cb\\u003e","n":1.0,"id":"p-1","title":"It","comments":[{"id":1},{"id":"c"}],"status":"open"}\r',
      '{"id":"p-2","title":"mentions","dependencies":[{"depends_on_id":"p-1","issue_id":"p-2","type":"blocks"}',
      "not JSON \u0000",
      '{"id":"p-3","title":"last"}',
    ];
    const bytes = Buffer.concat([Buffer.from(lines.join("\n").replace("\u0000", "")), Buffer.from([0xff, 0xfe])]);
    placeBeads(repo, bytes);
    await repo.clew("bead", "update", "p-1", "--status", "in_progress");
    const after = readFileSync(beadFile(repo));
    const [before, now] = [bytes.toString("latin1").split("\n"), after.toString("latin1").split("\n")];
    expect(now.toSpliced(5, 1)).toEqual(before.toSpliced(5, 1));
    expect(now[5]).toMatch(
      /^\{"own":"\\u003cb\\u003e","n":1\.0,"id":"p-1","title":"It","comments":\[\{"id":1\},\{"id":"c"\}\],"status":"in_progress","updated_at":"[^"]+","started_at":"[^"]+"\}\r$/,
    );
  });

  it("G2 a file in which git left a conflict is read, and not written", async () => {
    using repo = new Repo();
    const text = '{"id":"p-1","title":"A"}\n<<<<<<< HEAD\n{"id":"p-2","title":"B"}\n=======\n>>>>>>> other\n';
    placeBeads(repo, text);
    const changes = [
      ["close", "p-1"],
      ["create", "x"],
      ["delete", "p-1"],
      ["import", "-"],
    ];
    for (const args of changes) {
      const { message } = await repo.refused(["bead", ...args], { input: '{"id":"p-9","title":"X"}' });
      expect(message).toBe(".beads/issues.jsonl:2: a merge conflict that git left");
    }
    repo.env["CLEW_SCRIPT"] = "play.yaml";
    expect((await repo.refused(["run", "p-1", "--engine", "scripted"])).message).toBe(
      ".beads/issues.jsonl:2: a merge conflict that git left",
    );
    expect(readFileSync(beadFile(repo), "utf8")).toBe(text);
    expect((await repo.json<{ beads: Bead[] }>("bead", "list")).beads).toHaveLength(2);
  });

  it("G2 what is so already is not written again", async () => {
    using repo = new Repo();
    placeBeads(repo, '{"id":"p-1","title":"A","status":"closed","priority":1}');
    const before = lstatSync(beadFile(repo), { bigint: true });
    expect(await repo.clew("bead", "close", "p-1")).toBe("p-1 is already closed");
    await repo.clew("bead", "update", "p-1", "-p", "1", "--title", "A");
    const after = lstatSync(beadFile(repo), { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });

  it("G2 damage elsewhere is told by list and does not stop anything", async () => {
    using repo = new Repo();
    placeBeads(repo, '{"id":"p-1","title":"A"}\n{"id":"p-2","title":\n[1]\n{"id":"p-3","title":"C"}');
    const { beads, unreadable } = await repo.json<{ beads: Bead[]; unreadable: object[] }>("bead", "list");
    expect(beads.map(({ id }) => id)).toEqual(["p-1", "p-3"]);
    expect(unreadable).toEqual([
      { place: ".beads/issues.jsonl:2", reason: "not a JSON object" },
      { place: ".beads/issues.jsonl:3", reason: "not a JSON object" },
    ]);
    expect(await repo.clew("bead", "list")).toContain("unreadable  .beads/issues.jsonl:2");
    await repo.clew("bead", "close", "p-3");
    const made = await repo.clew("bead", "create", "New");
    const lines = readFileSync(beadFile(repo), "utf8").split("\n");
    expect(lines.slice(0, 3)).toEqual(['{"id":"p-1","title":"A"}', '{"id":"p-2","title":', "[1]"]);
    expect(lines.slice(3).map((line) => line.includes(made))).toEqual([false, true, false]);
    const { code, message } = await repo.refused(["bead", "close", "p-2"]);
    expect([code, message]).toEqual(["damaged_beads", ".beads/issues.jsonl:2: not a JSON object"]);
  });

  it("G2 deleted beads are not there, and their ids are not given again", async () => {
    using repo = new Repo();
    placeBeads(
      repo,
      '{"id":"p-1","title":"A"}\n{"id":"p-1.4","title":"","status":"tombstone"}\n' +
        '{"id":"p-2","title":"B","dependencies":[{"issue_id":"p-2","depends_on_id":"p-1.4","type":"blocks"}]}\n',
    );
    expect((await repo.json<{ beads: Bead[] }>("bead", "ready")).beads.map(({ id }) => id)).toEqual(["p-1", "p-2"]);
    await repo.refused(["bead", "update", "p-1.4", "--status", "open"]);
    expect(await repo.clew("bead", "create", "Child", "--parent", "p-1")).toBe("p-1.5");
  });

  it("G2 a link to the file stays a link, and what is no file is refused", async () => {
    using repo = new Repo();
    const id = await repo.clew("bead", "create", "One");
    const elsewhere = join(repo.root, "elsewhere.jsonl");
    renameSync(beadFile(repo), elsewhere);
    symlinkSync(elsewhere, beadFile(repo));
    await repo.clew("bead", "close", id);
    expect(lstatSync(beadFile(repo)).isSymbolicLink()).toBe(true);
    expect(readFileSync(elsewhere, "utf8")).toContain('"status":"closed"');
    rmSync(elsewhere);
    const { code, message } = await repo.refused(["bead", "create", "Two"]);
    expect([code, message]).toEqual([
      "damaged_beads",
      `.beads/issues.jsonl is a link to ${elsewhere}, which is not there`,
    ]);
    expect(existsSync(elsewhere)).toBe(false);
  });

  it("G2 .beads that is a file is told in words", async () => {
    using repo = new Repo();
    writeFileSync(join(repo.root, ".beads"), "");
    for (const args of [["list"], ["create", "One"]]) {
      expect((await repo.refused(["bead", ...args])).message).toBe(".beads is not a folder");
    }
  });

  it("G2 a line that is no bead is named, never ready and never changed", async () => {
    using repo = new Repo();
    const lines = [
      '{"id":"p-1","title":"A","dependencies":"p-2"}',
      '{"id":"p-2","title":"B","labels":["x",1]}',
      '{"id":"p-3","title":["C"]}',
      '{"id":"","title":"D"}',
      '{"id":"p-5","title":"E","status":"wip","priority":7,"issue_type":"saga"}',
      '{"id":"p-6","title":"F","defer_until":"soon"}',
    ];
    placeBeads(repo, lines.join("\n"));
    const { unreadable } = await repo.json<{ unreadable: { reason: string }[] }>("bead", "list");
    expect(unreadable.map(({ reason }) => reason)).toEqual([
      "dependencies must be a list of objects with depends_on_id",
      "labels must be a list of texts",
      "title must be a text",
      "no id",
    ]);
    expect((await repo.json<{ beads: Bead[] }>("bead", "ready")).beads.map(({ id }) => id)).toEqual(["p-6"]);
    expect(await repo.clew("bead", "list")).toMatch(/^p-5 +P7 +wip +saga +E$/m);
    expect(await repo.clew("bead", "show", "p-6")).not.toContain("deferred");
    for (const args of [
      ["update", "p-1", "-p", "0"],
      ["dep", "add", "p-1", "p-5"],
      ["close", "p-1"],
    ]) {
      expect((await repo.refused(["bead", ...args])).message).toBe(
        ".beads/issues.jsonl:1: dependencies must be a list of objects with depends_on_id",
      );
    }
    expect((await repo.refused(["bead", "update", "p-2", "--add-label", "y"])).message).toContain("labels must be");
    expect(readFileSync(beadFile(repo), "utf8")).toBe(lines.join("\n"));
  });

  it("G2 a line that is not UTF-8 is named and not exported", async () => {
    using repo = new Repo();
    const bad = Buffer.from([...Buffer.from('{"id":"p-1","title":"'), 0xe4, 0x22, 0x7d, 0x0a]);
    placeBeads(repo, Buffer.concat([bad, Buffer.from('{"id":"p-2","title":"B"}\n')]));
    expect(await repo.clew("bead", "list")).toMatch(/issues\.jsonl:1\n +not UTF-8/);
    const { code, stdout, stderr } = await repo.run(["bead", "export"]);
    expect([code, stdout]).toEqual([1, '{"id":"p-2","title":"B"}\n']);
    expect(stderr).toContain("left out .beads/issues.jsonl:1: not UTF-8");
  });
});

describe("G2 many processes at once", () => {
  it("G2 8 processes that create and update lose nothing, and children get numbers of their own", async () => {
    using repo = new Repo();
    const parent = await repo.clew("bead", "create", "Parent");
    const work = async (worker: number): Promise<string[]> => {
      const made: string[] = [];
      for (let at = 0; at < 4; at++) {
        made.push(await repo.clew("bead", "create", `Child ${worker}.${at}`, "--parent", parent));
        await repo.clew("bead", "update", parent, "--add-label", `w${worker}-${at}`);
      }
      return made;
    };
    const made = (await Promise.all(Array.from({ length: 8 }, (_, worker) => work(worker)))).flat();
    expect(new Set(made)).toEqual(new Set(Array.from({ length: 32 }, (_, at) => `${parent}.${at + 1}`)));
    const beads = beadsOf(repo);
    expect(beads).toHaveLength(33);
    expect(beads[0]!.labels).toHaveLength(32);
  }, 60_000);

  it("G2 kill -9 in the middle of updates leaves a whole file with all that was acknowledged", async () => {
    using repo = new Repo();
    const filler = "x".repeat(2000);
    const lines = Array.from({ length: 2000 }, (_, at) =>
      JSON.stringify({ id: `p-${at}`, title: "T", design: filler }),
    );
    placeBeads(repo, lines.map((line) => `${line}\n`).join(""));
    const acknowledged = new Map<number, string>();
    const work = async (worker: number): Promise<void> => {
      for (let at = 0; at < 6; at++) {
        const child = repo.start(["bead", "update", `p-${worker}`, "--notes", `round ${at}`]);
        child.stdin!.end();
        const timer = setTimeout(() => child.kill("SIGKILL"), 60 + worker * 37 + at * 23);
        const { code } = await outcomeOf(child);
        clearTimeout(timer);
        if (code === 0) acknowledged.set(worker, `round ${at}`);
      }
    };
    await Promise.all([0, 1, 2, 3].map(work));
    const beads = beadsOf(repo);
    expect(beads).toHaveLength(2000);
    for (const [worker, last] of acknowledged) {
      // A round that was killed after it was written counts as well, but never an older one.
      expect(Number(beads[worker]!.notes!.slice(6))).toBeGreaterThanOrEqual(Number(last.slice(6)));
    }
    expect(beads.slice(4).every((bead, at) => JSON.stringify(bead) === lines[at + 4])).toBe(true);
    await repo.clew("bead", "update", "p-0", "--notes", "after");
    expect(beadsOf(repo)[0]!.notes).toBe("after");
    expect(readdirSync(join(repo.root, ".beads"))).toEqual(["issues.jsonl"]);
  }, 60_000);
});

it.each([
  ["\u00e92", '"\\u00e92"'],
  ["a/c", '"a\\/c"'],
  ["a-1", '"\\u0061-1"'],
])(
  "G2 bead %s, whose id the file writes as %s, is found and changed, and its line keeps its form",
  async (id, written) => {
    using repo = new Repo();
    mkdirSync(join(repo.root, ".beads"));
    const file = join(repo.root, ".beads/issues.jsonl");
    const other =
      '{"id":"b-1","title":"other","dependencies":[{"issue_id":"b-1","depends_on_id":"a-1","type":"blocks"}]}\n';
    const line = (title: string) => `{"mine":{"z":1,"a":2}, "id" : ${written},"title":"${title}","status":"open"`;
    writeFileSync(file, `${line("old")}}\n${other}${line("one")}}\n`);
    expect(await repo.json("bead", "show", id)).toMatchObject({ bead: { id, title: "one" } });
    await repo.clew("bead", "update", id, "--title", "two");
    const [first, second, third] = readFileSync(file, "utf8").split("\n");
    expect([first, `${second}\n`]).toEqual([`${line("old")}}`, other]);
    expect(third).toContain(line("two"));
  },
);
