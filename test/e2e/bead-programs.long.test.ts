import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Bead } from "../../src/contract/bead.ts";
import { Folder } from "../support/folders.ts";
import { beadFile, beadsOf, placeBeads } from "../support/bead-file.ts";
import { ProgramRepo, type Behaviour } from "../support/bead-programs.ts";
import { write, writeSteps } from "../support/grimoires.ts";
import { script } from "../support/runs.ts";

const shapes: ["bd" | "br", Behaviour][] = [
  ["bd", { envelope: "bare", errors: "stderr" }],
  ["bd", { envelope: "data", errors: "stdout" }],
  ["bd", { envelope: "items", errors: "plain" }],
  ["bd", { envelope: "pretty", version: "v1.3.0" }],
  ["br", { envelope: "bare", errors: "stdout" }],
  ["br", { envelope: "issues", errors: "stderr" }],
];

interface Listed {
  beads: Bead[];
}

/** A repository with a grimoire, so that beads can be worked on. */
function withFlow(repo: ProgramRepo, command = "true"): void {
  writeSteps(repo, `- ${JSON.stringify(script("work", command))}`);
  write(repo, ".clew/config.yaml", "default_grimoire: flow\nengine: scripted\n");
}

describe.each(shapes)("G2 beads that belong to %s, answering with %j", (name, behaviour) => {
  it("G2 are made, read, changed, closed and taken up again by it alone", async () => {
    using repo = new ProgramRepo(name, { behaviour });
    const first = await repo.clew("bead", "create", "First", "-d", "--json; $(touch pwned)\n\nmore");
    expect(first).toBe(`${name}-1`);
    const { bead } = JSON.parse(
      await repo.clew("bead", "create", "--json", "-p", "0", "-l", "x", "-l", "y", "--dep", "1", "--", "--help"),
    ) as { bead: Bead };
    expect(bead).toMatchObject({
      id: `${name}-2`,
      title: "--help",
      priority: 0,
      labels: ["x", "y"],
      unheard_of: { of: 1 },
    });
    expect(bead.dependencies).toMatchObject([{ issue_id: `${name}-2`, depends_on_id: first, type: "blocks" }]);
    const part = await repo.clew("bead", "create", "Part", "--parent", first);
    expect((await repo.json<Listed>("bead", "ready")).beads.map(({ id }) => id)).toEqual([first, part]);
    expect((await repo.json<Listed>("bead", "list", "--all")).beads).toHaveLength(3);
    expect((await repo.json<{ bead: Bead }>("bead", "show", "1")).bead).toMatchObject({
      description: "--json; $(touch pwned)\n\nmore",
    });

    await repo.clew(
      "bead",
      "update",
      "2",
      "--title",
      "Other",
      "--add-label",
      "z",
      "--remove-label",
      "x",
      "--description",
      "",
    );
    await repo.clew("bead", "dep", "add", part, "2", "--type", "related");
    await repo.clew("bead", "dep", "remove", "2", "1");
    await repo.clew("bead", "close", first, "-r", "--done\nreally");
    expect(repo.stored()).toMatchObject({
      [first]: { status: "closed", close_reason: "--done\nreally" },
      [`${name}-2`]: { title: "Other", labels: ["y", "z"], dependencies: [] },
    });
    expect(await repo.clew("bead", "reopen", "1")).toBe(`Reopened ${first}`);
    expect(repo.stored()[first]).toMatchObject({ status: "open" });
    expect(await repo.clew("bead", "graph")).toContain("Other");
    expect(existsSync(join(repo.root, "pwned"))).toBe(false);
    if (name === "bd") expect(existsSync(beadFile(repo))).toBe(false);
    for (const { cwd, env } of repo.calls()) {
      expect(cwd).toBe(repo.root);
      expect(env).toEqual({ CI: "1", BD_NON_INTERACTIVE: "1", RUST_LOG: "error" });
    }
  });
});

describe.each([shapes[0]!, shapes[4]!])("G2 beads that belong to %s, which", (name, behaviour) => {
  it("G2 G13 are claimed by a run, and closed or given back by it", async () => {
    using repo = new ProgramRepo(name, { behaviour });
    withFlow(repo, "test -e ../../go");
    await repo.clew("bead", "create", "One");
    expect(await repo.clew("grimoire", "preview", "flow", "--bead", "1")).toContain(`${name}-1`);
    expect((await repo.run(["run", "1"])).code).toBe(3);
    expect(repo.stored()[`${name}-1`]).toMatchObject({ status: "blocked", assignee: "me" });
    expect((await repo.run(["run", "cancel", "1"])).code).toBe(0);
    expect(repo.stored()[`${name}-1`]).toMatchObject({ status: "open" });
    expect(repo.stored()[`${name}-1`]!.assignee).toBeUndefined();
    write(repo, "go", "");
    expect(await repo.run(["run", "1"])).toMatchObject({ code: 0 });
    expect(repo.stored()[`${name}-1`]).toMatchObject({ status: "closed", assignee: "me" });
    expect(repo.writes().filter((args) => args.includes("--claim"))).toHaveLength(2);
    // Taken up again, it has no assignee: else no other could claim it.
    await repo.clew("bead", "reopen", "1");
    expect(repo.writes().slice(-2)).toEqual([
      ["reopen", "--json", "--actor=me", "--", `${name}-1`],
      ["update", "--json", "--actor=me", "--assignee=", "--", `${name}-1`],
    ]);
    expect(repo.stored()[`${name}-1`]).not.toHaveProperty("assignee");
    expect(repo.stored()[`${name}-1`]).not.toHaveProperty("closed_at");
  });

  it("G2 takes up again what another closed, which stays the other's", async () => {
    using repo = new ProgramRepo(name, { behaviour });
    repo.store({ id: `${name}-1`, title: "It", status: "closed", assignee: "another" });
    await repo.clew("bead", "reopen", "1");
    expect(repo.writes()).toEqual([["reopen", "--json", "--actor=me", "--", `${name}-1`]]);
    expect(repo.stored()[`${name}-1`]).toMatchObject({ status: "open", assignee: "another" });
  });

  it("G2 an id that it does not have, and one that it takes for another", async () => {
    using repo = new ProgramRepo(name, { behaviour });
    repo.store(...Array.from({ length: 10 }, (_, at) => ({ id: `${name}-${at + 1}`, title: "It", priority: 2 })));
    expect((await repo.refused(["bead", "show", "nothing"])).message).toContain(
      `no bead nothing in the ${name} database`,
    );
    await repo.clew("bead", "update", "1", "-p", "0");
    expect(repo.stored()[`${name}-1`]!.priority).toBe(0);
    expect(repo.stored()[`${name}-10`]!.priority).toBe(2);
    expect((await repo.refused(["bead", "delete", "2"])).hint).toBe(`${name} does it: ${name} delete ${name}-2`);
    expect((await repo.refused(["bead", "import", "-"], { input: '{"id":"x-1","title":"X"}' })).hint).toContain(
      `${name} import`,
    );
  });
});

describe("G2 what goes wrong with the program", () => {
  const faults = [
    ["list", "freeze", /^bd list failed: its tables are being changed \(\.beads\/MIGRATION-FREEZE\)$/],
    ["list", "fail", /^bd list failed: the database is locked$/],
    ["list", "garbage", /^bd list printed no JSON/],
    ["list", "half", /^bd list printed no JSON/],
    ["version", "garbage", /bd of an unknown version is older than 1\.0\.5$/],
    ["create", "freeze", /^bd create failed: its tables/],
    ["create", "fail", /^bd create failed: the database is locked$/],
    ["create", "garbage", /^bd create did not print the bead/],
    ["create", "half", /^bd create did not print the bead/],
    ["show", "half", /^bd made bd-1, and then: bd show printed no JSON/],
  ] as const;
  it.each(faults)("G2 %s: %s", async (...row) => {
    const [command, fault, message] = row;
    const streams = ["stdout", "stderr", "plain"] as const;
    for (const errors of fault === "fail" ? streams : (["stderr"] as const)) {
      using repo = new ProgramRepo("bd", { behaviour: { faults: { [command]: fault }, errors } });
      const args = command === "list" || command === "version" ? ["list"] : ["create", "x"];
      expect((await repo.refused(["bead", ...args])).message).toMatch(message);
      expect(existsSync(beadFile(repo))).toBe(false);
    }
  });

  it("G2 a bd that says yes and does nothing is found out", async () => {
    using repo = new ProgramRepo("bd");
    await repo.clew("bead", "create", "One");
    repo.behave({ idle: true });
    expect((await repo.refused(["bead", "update", "bd-1", "-p", "0"])).message).toBe(
      "bd said that it changed bd-1, but it shows another priority",
    );
    expect((await repo.refused(["bead", "close", "bd-1"])).message).toContain("another status");
    expect((await repo.refused(["bead", "create", "Two"])).message).toContain("does not show it");
  });

  it("G2 a claim that is lost to another begins no run", async () => {
    using repo = new ProgramRepo("bd");
    withFlow(repo);
    await repo.clew("bead", "create", "One");
    repo.behave({ faults: { update: "lost" } });
    const { message, hint } = await repo.refused(["run", "bd-1"]);
    expect(message).toBe("bd-1 could not be claimed: another has it (in_progress)");
    expect(hint).toContain("bd unclaim bd-1");
    expect((await repo.json<{ runs: unknown[] }>("run", "list", "--all")).runs).toEqual([]);
    expect(existsSync(join(repo.root, ".worktrees"))).toBe(false);
  });

  it("G2 a bd that is too old, or means another folder, is refused, for reading too", async () => {
    using repo = new ProgramRepo("bd", { behaviour: { version: "1.0.4" } });
    expect((await repo.refused(["bead", "list"])).message).toBe(
      ".beads/embeddeddolt: these beads belong to a bd database, and bd 1.0.4 is older than 1.0.5",
    );
    repo.behave({ where: "/elsewhere/.beads" });
    expect((await repo.refused(["bead", "list"])).message).toContain(
      "bd where names another folder, /elsewhere/.beads",
    );
    repo.behave({ version: "1.0.5" });
    await repo.clew("bead", "list");
  });

  it("G2 other commands need no beads", async () => {
    using repo = new ProgramRepo("bd", { isInstalled: false });
    await repo.clew("session", "start", "Work");
    expect((await repo.json<{ runs: unknown[] }>("run", "list")).runs).toEqual([]);
  });
});

describe("G2 without the program", () => {
  it("G2 nothing of a bd database is read or written", async () => {
    using repo = new ProgramRepo("bd", { isInstalled: false });
    placeBeads(repo, '{"id":"bd-1","title":"stale"}\n');
    withFlow(repo);
    for (const args of [
      ["bead", "list"],
      ["bead", "show", "bd-1"],
      ["bead", "create", "x"],
      ["run", "bd-1"],
      ["grimoire", "preview", "--bead", "bd-1"],
    ]) {
      const { code, message, hint } = await repo.refused(args);
      expect([code, message]).toEqual([
        "not_available",
        ".beads/embeddeddolt: these beads belong to a bd database, and bd is not installed",
      ]);
      expect(hint).toContain("install bd");
    }
    expect(readFileSync(beadFile(repo), "utf8")).toBe('{"id":"bd-1","title":"stale"}\n');
  });

  it("G2 the file of br is read, and written where there is no database", async () => {
    using repo = new ProgramRepo("br", { isInstalled: false });
    placeBeads(repo, '{"id":"br-1","title":"One"}\n');
    expect((await repo.json<Listed>("bead", "list")).beads).toMatchObject([{ id: "br-1" }]);
    for (const args of [
      ["create", "x"],
      ["close", "br-1"],
      ["delete", "br-1"],
    ]) {
      expect((await repo.refused(["bead", ...args])).message).toBe(
        ".beads/beads.db: these beads belong to a br database, and br is not installed",
      );
    }
    rmSync(beadFile(repo, "beads.db"));
    placeBeads(repo, "", ".write.lock");
    await repo.clew("bead", "close", "br-1");
    expect(beadsOf(repo)).toMatchObject([{ id: "br-1", status: "closed" }]);
  });
});

describe("G2 which workspace it is", () => {
  const metadata = (value: object): [string, string] => ["metadata.json", JSON.stringify(value)];
  const refused: [string, [string, string][], RegExp, RegExp][] = [
    [
      "a fresh clone",
      [metadata({ database: "dolt", backend: "dolt", project_id: "p" })],
      /metadata\.json: .*not here yet/,
      /bd bootstrap/,
    ],
    ["a bd from before 1.0", [["proj.db", ""]], /proj\.db: these beads belong to a bd from before 1\.0/, /bd migrate/],
    [
      "signs of both",
      [
        ["beads.db", ""],
        ["embeddeddolt", "/"],
      ],
      /embeddeddolt and \.beads\/beads\.db: /,
      /move away/,
    ],
    [
      "metadata that is cut off",
      [["metadata.json", '{"dolt_mode":']],
      /^\.beads\/metadata\.json is not a JSON object$/,
      /mend/,
    ],
    [
      "a redirect to nowhere",
      [["redirect", "# there\n../nowhere/.beads\n"]],
      /redirect leads to .*nowhere/,
      /mend its path/,
    ],
    ["a redirect to two places", [["redirect", "a\nb\n"]], /redirect names 2 folders/, /one line/],
  ];
  it.each(refused)("G2 %s is refused, and stays as it is", async (_, files, message, hint) => {
    using repo = new ProgramRepo("bd");
    rmSync(join(repo.root, ".beads"), { recursive: true });
    placeBeads(repo, '{"id":"p-1","title":"A"}\n');
    for (const [name, text] of files) {
      if (text === "/") mkdirSync(beadFile(repo, name));
      else placeBeads(repo, text, name);
    }
    placeBeads(repo, "", "x.gate.lock");
    for (const args of [
      ["bead", "list"],
      ["bead", "create", "x"],
    ]) {
      const error = await repo.refused(args);
      expect(error.message).toMatch(message);
      expect(error.hint).toMatch(hint);
    }
    expect(readFileSync(beadFile(repo), "utf8")).toBe('{"id":"p-1","title":"A"}\n');
    expect(existsSync(beadFile(repo, "x.gate.lock"))).toBe(true);
  });

  const elsewhere = [
    ["dolt-server.port", "3307"],
    ["metadata.json", '{"dolt_mode":"server"}'],
    ["metadata.json", '{"dolt_mode":"proxied-server","database":"beads.db","jsonl_export":"issues.jsonl"}'],
    ["config.yaml", "dolt:\n  # ours\n  mode: server\n"],
    ["config.yaml", "dolt.mode: server\n"],
  ] as const;
  it.each(elsewhere)("G2 %s with %s is bd, whose data is elsewhere", async (name, text) => {
    using repo = new ProgramRepo("bd", { isInstalled: false });
    rmSync(join(repo.root, ".beads"), { recursive: true });
    placeBeads(repo, text, name);
    expect((await repo.refused(["bead", "list"])).message).toBe(
      `.beads/${name}: these beads belong to a bd database, and bd is not installed`,
    );
  });

  it("G2 a redirect is followed once, from a worktree too", async () => {
    using repo = new ProgramRepo("bd");
    using other = new ProgramRepo("bd");
    rmSync(join(repo.root, ".beads"), { recursive: true });
    placeBeads(repo, `# the other one\n${join(other.root, ".beads")}\n`, "redirect");
    placeBeads(other, "/nowhere\n", "redirect");
    expect(await repo.clew("bead", "create", "There")).toBe("bd-1");
    expect(Object.keys(other.stored())).toEqual(["bd-1"]);
    expect(other.calls().every(({ cwd }) => cwd === repo.root)).toBe(true);
    using aside = new Folder();
    const worktree = join(aside.path, "side");
    repo.git("worktree", "add", "-q", worktree, "-b", "side");
    expect((await repo.run(["bead", "list"], { cwd: worktree })).stdout).toContain("There");
  });

  it("G2 BEADS_DIR names the folder, also of lines without a program", async () => {
    using repo = new ProgramRepo("bd");
    mkdirSync(join(repo.root, "mine"));
    writeFileSync(join(repo.root, "mine/issues.jsonl"), '{"id":"p-1","title":"Mine"}\n');
    const { stdout } = await repo.run(["bead", "close", "p-1"], { env: { BEADS_DIR: "mine" } });
    expect(stdout).toBe("Closed p-1\n");
    expect(readFileSync(join(repo.root, "mine/issues.jsonl"), "utf8")).toContain('"status":"closed"');
  });
});
