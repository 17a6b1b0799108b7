import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Bead } from "../../src/contract/bead.ts";
import { Repo, type Outcome, type RunOptions } from "../support/repo.ts";
import { beadFile, beadsOf, placeBeads } from "../support/bead-file.ts";

/** A `bd` that keeps its beads in a database of its own, and writes issues.jsonl only when it exports. */
const bd = `#!${process.execPath}
const fs = require("node:fs"), path = require("node:path");
const folder = process.env.BEADS_DIR, database = path.join(folder, "beads.db");
const args = process.argv.slice(2);
fs.appendFileSync(path.join(folder, "calls.jsonl"), JSON.stringify(args) + "\\n");
if (fs.existsSync(path.join(folder, "fail"))) { console.error("Error: the database is locked"); process.exit(1); }
if (fs.existsSync(path.join(folder, "babble"))) { console.log("all fine"); process.exit(0); }
const beads = JSON.parse(fs.readFileSync(database, "utf8") || "{}");
const split = args.indexOf("--");
const flags = (split < 0 ? args : args.slice(0, split)).filter((each) => each.startsWith("--"));
const words = split < 0 ? [] : args.slice(split + 1);
const values = (name) => flags.filter((f) => f.startsWith("--" + name + "=")).map((f) => f.slice(name.length + 3));
const names = { title: "title", description: "description", notes: "notes", priority: "priority", type: "issue_type", status: "status" };
const apply = (bead) => {
  for (const [flag, field] of Object.entries(names)) for (const value of values(flag)) bead[field] = flag === "priority" ? Number(value) : value;
};
const isIdle = fs.existsSync(path.join(folder, "idle"));
const save = (printed) => { if (!isIdle) fs.writeFileSync(database, JSON.stringify(beads)); console.log(JSON.stringify(printed)); };
if (args[0] === "create") {
  const id = "bd-" + (Object.keys(beads).length + 1);
  const bead = (beads[id] = { id, status: "open", labels: values("labels") });
  bead.dependencies = values("deps").map((text) => ({ issue_id: id, depends_on_id: text.split(":")[1], type: text.split(":")[0] }));
  apply(bead);
  save(bead);
} else if (args[0] === "update") {
  const bead = beads[words[0]];
  apply(bead);
  bead.labels = [...bead.labels, ...values("add-label")].filter((label) => !values("remove-label").includes(label));
  save([bead]);
} else if (args[0] === "close") {
  Object.assign(beads[words[0]], { status: "closed", close_reason: values("reason")[0], closed_at: "2026-01-01T00:00:00Z" });
  save([beads[words[0]]]);
} else if (args[0] === "dep" && args[1] === "add") {
  beads[words[0]].dependencies.push({ issue_id: words[0], depends_on_id: words[1], type: values("type")[0] });
  save({ status: "added" });
} else if (args[0] === "export") {
  fs.writeFileSync(values("output")[0], Object.values(beads).map((each) => JSON.stringify(each) + "\\n").join(""));
} else { console.error("unknown command"); process.exit(1); }
`;

/** A repository whose beads belong to a database, with or without the program. */
class BdRepo extends Repo {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "clew bd ")));

  constructor(withProgram = true) {
    super();
    if (withProgram) {
      writeFileSync(join(this.folder, "bd"), bd);
      chmodSync(join(this.folder, "bd"), 0o755);
    }
    placeBeads(this, "{}", "beads.db");
  }

  override run(args: string[], options: RunOptions = {}): Promise<Outcome> {
    return super.run(args, { env: { PATH: `${this.folder}:/usr/bin:/bin` }, ...options });
  }

  override [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
    super[Symbol.dispose]();
  }

  /** All calls but those that only bring the file up to date. */
  calls(): string[][] {
    return readFileSync(beadFile(this, "calls.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as string[])
      .filter(([command]) => command !== "export");
  }
}

describe("G2 beads that belong to a database of bd", () => {
  it("G2 are written by bd, and read from the file that it exports", async () => {
    using repo = new BdRepo();
    const first = await repo.clew("bead", "create", "First");
    expect(first).toBe("bd-1");
    const { bead } = await repo.json<{ bead: Bead }>("bead", "create", "Second", "-p", "0", "-l", "x", "--dep", first);
    expect(bead).toMatchObject({ id: "bd-2", title: "Second", priority: 0, labels: ["x"] });
    expect((await repo.json<{ beads: Bead[] }>("bead", "ready")).beads.map(({ id }) => id)).toEqual([first]);
    await repo.clew("bead", "update", "bd-2", "--title", "Other", "--add-label", "y", "--remove-label", "x");
    await repo.clew("bead", "close", first, "-r", "done");
    expect((await repo.json<{ beads: Bead[] }>("bead", "ready")).beads).toMatchObject([{ id: "bd-2", title: "Other" }]);
    expect(beadsOf(repo)[0]).toMatchObject({ status: "closed", close_reason: "done" });
    await repo.clew("bead", "update", first, "--status", "open");
    await repo.clew("bead", "dep", "add", first, "bd-2", "--type", "related");
    expect(repo.calls().slice(2)).toEqual([
      ["update", "--json", "--title=Other", "--add-label=y", "--remove-label=x", "--", "bd-2"],
      ["close", "--json", "--reason=done", "--", "bd-1"],
      ["update", "--json", "--status=open", "--", "bd-1"],
      ["dep", "add", "--json", "--type=related", "--", "bd-1", "bd-2"],
    ]);
  });

  it("G2 data is never taken for a flag or for a shell's words", async () => {
    using repo = new BdRepo();
    const title = "--help; $(touch pwned) `x`";
    const { code } = await repo.run(["bead", "create", "-d", "--json", "--", title]);
    expect(code).toBe(0);
    expect(beadsOf(repo)[0]).toMatchObject({ title, description: "--json" });
    expect(existsSync(join(repo.root, "pwned"))).toBe(false);
  });

  it.each([
    ["beads.db", () => undefined],
    ["dolt", (repo: Repo) => void mkdirSync(beadFile(repo, "dolt"), { recursive: true })],
    ["metadata.json", (repo: Repo) => placeBeads(repo, '{"database":"dolt","backend":"dolt"}', "metadata.json")],
  ])("G2 without bd nothing is written beside %s, and reading goes on", async (name, prepare) => {
    using repo = new BdRepo(false);
    if (name !== "beads.db") rmSync(beadFile(repo, "beads.db"));
    prepare(repo);
    placeBeads(repo, '{"id":"bd-1","title":"A"}\n');
    const attempts = [
      ["create", "x"],
      ["update", "bd-1", "-p", "0"],
      ["close", "bd-1"],
      ["import", "-"],
    ];
    for (const args of attempts) {
      const { code, message } = await repo.refused(["bead", ...args], { input: '{"id":"x-1","title":"X"}' });
      expect([code, message]).toEqual([
        "not_available",
        `.beads/${name}: these beads belong to a bd database, and bd is not installed`,
      ]);
    }
    expect(readFileSync(beadFile(repo), "utf8")).toBe('{"id":"bd-1","title":"A"}\n');
    expect((await repo.json<{ beads: Bead[] }>("bead", "list")).beads).toHaveLength(1);
  });

  it("G2 bd that fails or says nothing of use is told to the person", async () => {
    using repo = new BdRepo();
    placeBeads(repo, "", "fail");
    expect((await repo.refused(["bead", "create", "x"])).message).toBe("bd create failed: the database is locked");
    rmSync(beadFile(repo, "fail"));
    placeBeads(repo, "", "babble");
    expect((await repo.refused(["bead", "create", "x"])).message).toContain("did not print the bead");
  });

  it("G2 bd that says yes and does nothing is found out", async () => {
    using repo = new BdRepo();
    await repo.clew("bead", "create", "One");
    placeBeads(repo, "", "idle");
    expect((await repo.refused(["bead", "update", "bd-1", "-p", "0"])).message).toBe(
      "bd said that it changed bd-1, but after bd export it has another priority",
    );
    expect((await repo.refused(["bead", "close", "bd-1"])).message).toContain("another status");
    expect((await repo.refused(["bead", "create", "Two"])).message).toContain("bd export does not have it");
  });

  it("G2 bd told to use no database leaves the file to us", async () => {
    using repo = new BdRepo(false);
    placeBeads(repo, "no-db: true\n", "config.yaml");
    await repo.clew("bead", "create", "One");
    expect(beadsOf(repo)).toHaveLength(1);
  });
});
