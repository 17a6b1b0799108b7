import { createHash } from "node:crypto";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readContextLog } from "../../src/turn/log/context-log.ts";
import { plan, planText, TurnRepo } from "../support/turn-repo.ts";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("T1 new sessions", () => {
  test("T1 session new makes a folder with an empty context list, prints its path alone, and refuses other names", async () => {
    using repo = new TurnRepo();
    const path = await repo.clew("session", "new", "add-user-auth");
    expect(path).toMatch(/\/\.clew\/sessions\/\d{4}-\d\d-\d\d-add-user-auth$/);
    const list = readFileSync(join(path, "session.context"), "utf8");
    expect(list.split("\n").every((line) => line === "" || line.startsWith("#"))).toBe(true);
    const { frontmatter } = await repo.show("latest");
    expect(frontmatter).toMatchObject({ kind: "turns", status: "active", title: "Add user auth" });
    const again = await repo.json<{ session_id: string; path: string }>("session", "new", "add-user-auth");
    expect(again.path.endsWith("-add-user-auth-2")).toBe(true);
    for (const name of ["Add User", "a_b", "a-", "a--b", "ä", "", "../x"]) {
      expect((await repo.refused(["session", "new", name])).message).toContain(
        "small letters, digits and single dashes",
      );
    }
  });
});

describe("T2 T3 planning", () => {
  test("T3 a plan is saved with the very bytes that were sent, its hashes, and a phase of session.md", async () => {
    using repo = new TurnRepo();
    repo.answers({ "Say hello": { say: planText("Greet"), usage: { input: 10, output: 5 } } });
    repo.write("README.md", "Read me\n");
    repo.write(".clew/global.context", "# all\nREADME.md\n");
    repo.write("src/a.txt", "one");
    const id = await repo.newSession("greet", "src/a.txt", "gone.txt");
    const planned = await plan(repo, "-m", "Say hello");
    expect(planned).toMatchObject({ turn: "01", agent: "pathfinder", problems: [], plan: { title: "Greet" } });
    const log = repo.turnFile(id, "01", "_context.log");
    expect(readContextLog(log)).toMatchObject({
      memos: [],
      files: [
        { path: "README.md", content: "Read me\n" },
        { path: "src/a.txt", content: "one" },
      ],
      missing: ["gone.txt"],
      message: "Say hello",
    });
    expect(repo.turnFile(id, "01", "turn.context")).toBe("README.md\nsrc/a.txt\ngone.txt\n");
    expect(repo.turnFile(id, "01", "plan.md")).toBe(planText("Greet"));
    const [line] = repo.lines(id);
    expect(line).toMatchObject({
      type: "planned",
      turn: "01",
      after: null,
      agent: "pathfinder",
      engine: "scripted",
      tokens: { input: 10, output: 5 },
      hashes: { "_context.log": sha256(log), "plan.md": sha256(planText("Greet")) },
    });
    const { frontmatter, phases } = await repo.show(id);
    expect(frontmatter).toMatchObject({ tokens_used: 15, participants: ["pathfinder"], status: "active" });
    expect(frontmatter.engine_sessions).toMatchObject([{ engine: "scripted" }]);
    expect(phases).toMatchObject([
      {
        title: "Plan 01: Greet",
        agent: "pathfinder",
        entries: [
          { kind: "user", text: "Say hello" },
          { kind: "text", text: "Because of Greet." },
          { kind: "tokens", tokens: 15 },
        ],
      },
    ]);
    expect(await repo.clew("search", "Say hello")).toContain("Plan 01");
  });

  test("T2 the cascade: lists, patterns without what git ignores, what was taken out, and what is not shown", async () => {
    using repo = new TurnRepo();
    repo.write(".gitignore", "*.secret\n");
    for (const path of ["src/a.ts", "src/b.ts", "src/deep/c.ts", "src/d.secret", "docs/x.md"])
      repo.write(path, `${path}\n`);
    repo.write("logo.bin", new Uint8Array([1, 0, 2]));
    repo.write("huge.txt", "x".repeat(1024 * 1024 + 1));
    symlinkSync("/etc/hostname", join(repo.root, "out"));
    symlinkSync("src/a.ts", join(repo.root, "in"));
    repo.write(".clew/global.context", "docs/x.md\nsrc/b.ts\n");
    await repo.newSession(
      "look",
      "src/**",
      "!src/b.ts",
      "logo.bin",
      "huge.txt",
      "out",
      "in",
      "../x",
      ".git/config",
      "src",
      "gone",
      "docs/x.md",
    );
    const shown = await repo.json<{
      files: { path: string; level: string; missing?: true; skipped?: string }[];
      removed: object[];
      tokens: number;
    }>("session", "context");
    expect(
      shown.files.map(({ path, level, skipped, missing }) => [path, level, skipped ?? (missing ? "missing" : "")]),
    ).toEqual([
      ["docs/x.md", "global", ""],
      ["src/a.ts", "session", ""],
      ["src/deep/c.ts", "session", ""],
      ["logo.bin", "session", "binary"],
      ["huge.txt", "session", "too large"],
      ["out", "session", "leads out of the repository"],
      ["in", "session", ""],
      ["../x", "session", "leads out of the repository"],
      [".git/config", "session", "is git's own"],
      ["src", "session", "is a folder, not a file"],
      ["gone", "session", "missing"],
    ]);
    expect(shown.removed).toEqual([{ path: "src/b.ts", level: "global", by: "!src/b.ts (session)" }]);
    const { stdout } = await repo.run(["session", "context"]);
    expect(stdout).toMatch(/src\/a\.ts +session +9 +\d/);
    expect(stdout).toContain("src/b.ts (global) taken out by !src/b.ts (session)");
  });

  test("T2 over the budget, nothing is sent, and the largest files are named", async () => {
    using repo = new TurnRepo();
    repo.answers({ Plan: planText("X") });
    repo.write("big.txt", "words ".repeat(20_000));
    repo.write("small.txt", "word\n");
    await repo.newSession("big", "small.txt", "big.txt");
    const { message, hint } = await repo.refused(["session", "plan", "-m", "x", "--budget", "5000"]);
    expect(message).toMatch(
      /about 4\d,\d+ tokens, and may be 5,000; the largest files: big\.txt \(40,\d+, session\), small\.txt/,
    );
    expect(hint).toMatch(/--budget 4\d000/);
  });

  test("T3 the guard, the next turn, the agent that was used last, and what READ, RESEARCH and the vault bring", async () => {
    using repo = new TurnRepo();
    repo.answers({ "First go": planText("One", { vault: ["src/*.ts", "!README.md"] }), "Second go": planText("Two") });
    for (const path of ["README.md", "src/a.ts", "notes.md"]) repo.write(path, `${path}\n`);
    repo.write(".clew/global.context", "README.md\n");
    repo.write(".clew/memos.yaml", "- Use pnpm\n");
    const id = await repo.newSession("walk");
    await plan(repo, "-m", "First go", "-a", "dev");
    const guard = await repo.refused(["session", "plan", "-m", "Second go"]);
    expect(guard.message).toContain("turn 01 has not been executed");
    expect(guard.hint).toContain("clew session execute 01");
    const read = { type: "READ" as const, parameters: { sources: ["notes.md"] } };
    const research = { type: "RESEARCH" as const, parameters: { sources: [] }, output_file: "research-2.md" };
    repo.executed(id, "01", [read, research], { "research-2.md": "found\n" });
    expect(await plan(repo, "-m", "Second go")).toMatchObject({ turn: "02", agent: "dev" });
    const log = readContextLog(repo.turnFile(id, "02", "_context.log"))!;
    expect(log.files.map(({ path }) => path)).toEqual([
      "src/a.ts",
      "notes.md",
      `.clew/sessions/${id}/01/research-2.md`,
    ]);
    expect(log.memos).toEqual(["Use pnpm"]);
    expect(log.report).toEqual({ turn: "01", text: repo.turnFile(id, "01", "report.md") });
    expect((await repo.show(id)).phases.map(({ title }) => title)).toEqual([
      "Plan 01: One",
      "Execute 01: One",
      "Plan 02: Two",
    ]);
  });

  test("T4 INVOKE hands over: the next plan is the named agent's, with the words it was given", async () => {
    using repo = new TurnRepo();
    repo.answers({ "Look around": planText("Look"), "build the form": planText("Build") });
    const id = await repo.newSession("hand-over");
    await plan(repo, "-m", "Look around");
    repo.executed(id, "01", [{ type: "INVOKE", parameters: { agent: "dev", text: "build the form" } }]);
    expect(await plan(repo)).toMatchObject({ turn: "02", agent: "dev", plan: { title: "Build" } });
    expect(readContextLog(repo.turnFile(id, "02", "_context.log"))!.message).toBe("build the form");
    repo.executed(id, "02");
    await repo.show(id);
    expect((await repo.refused(["session", "plan"])).message).toBe("there is no message for the agent");
  });

  test("T3 secrets are in none of its files", async () => {
    using repo = new TurnRepo();
    const secret = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
    repo.answers({ "The token": planText(`Use ${secret}`) });
    repo.write("a.txt", `token ${secret}\n`);
    repo.write(".clew/memos.yaml", `- token ${secret}\n`);
    const id = await repo.newSession("secrets", "a.txt");
    await plan(repo, "-m", `The token is ${secret}`);
    repo.write(".clew/memos.yaml", "- none\n");
    const others = Object.entries(repo.record()).filter(([, content]) => content.includes("ghp_16"));
    expect(others.map(([path]) => path)).toEqual([]);
    expect(repo.turnFile(id, "01", "_context.log")).toContain("[redacted:");
    expect(repo.turnFile(id, "01", "plan.md")).toContain("[redacted:");
  });

  test("T3 wrong agents, engines, sessions, turns and memos are refused, and leave nothing", async () => {
    using repo = new TurnRepo();
    repo.answers({ Plan: planText("X") });
    expect((await repo.refused(["session", "plan", "-m", "x"])).hint).toContain("clew session new");
    const id = await repo.newSession("wrong");
    const messages: string[] = [];
    for (const args of [
      ["-a", "devv"],
      ["--engine", "claud"],
      ["-s", "nothing"],
      ["--from", "07"],
      ["--from", "../x"],
    ]) {
      messages.push((await repo.refused(["session", "plan", "-m", "x", ...args])).message);
    }
    repo.write(".clew/memos.yaml", "a: b\n");
    messages.push((await repo.refused(["session", "plan", "-m", "x"])).message);
    expect(messages).toEqual([
      "there is no agent devv",
      "there is no engine claud",
      "there is no session nothing",
      "there is no turn 07",
      '"../x" is no name of a turn',
      expect.stringContaining(".clew/memos.yaml:1"),
    ]);
    expect(repo.entries(id)).toEqual(["session.context", "session.md"]);
    const other = await repo.clew("session", "start", "Work");
    expect((await repo.refused(["session", "turns", other])).message).toContain("has no turns");
  });
});

describe("T7 branches", () => {
  test("T7 a branch keeps the recorded contents, is filled by the next plan, and goes on as a line of its own", async () => {
    using repo = new TurnRepo();
    repo.answers({
      "First go": planText("One"),
      "Second go": planText("Two"),
      Otherwise: planText("Two, otherwise"),
      "Third go": planText("Three"),
      "Once more": planText("Again"),
    });
    repo.write("a.txt", "as it was\n");
    const id = await repo.newSession("tree", "a.txt");
    await plan(repo, "-m", "First go");
    repo.executed(id, "01");
    await plan(repo, "-m", "Second go");
    repo.write("a.txt", "changed since\n");
    const branch = await repo.json<{ turn: string; path: string }>("session", "branch", "02");
    expect(branch.turn).toBe("02-branch-01");
    for (const file of ["turn.context", "_context.log"]) {
      expect(repo.turnFile(id, "02-branch-01", file)).toBe(repo.turnFile(id, "02", file));
    }
    expect(await plan(repo, "-m", "Otherwise")).toMatchObject({
      turn: "02-branch-01",
      plan: { title: "Two, otherwise" },
    });
    const [recorded, branched] = ["02", "02-branch-01"].map((turn) =>
      readContextLog(repo.turnFile(id, turn, "_context.log"))!,
    );
    expect(branched).toEqual({ ...recorded, message: "Otherwise" });
    repo.executed(id, "02-branch-01");
    expect(await plan(repo, "-m", "Third go")).toMatchObject({ turn: "02-branch-01-03" });
    const deeper = await repo.run(["session", "branch", "02-branch-01", "-m", "Once more", "--json"]);
    expect(JSON.parse(deeper.stdout.trim().split("\n").at(-1)!)).toMatchObject({ turn: "02-branch-01-branch-01" });
    repo.executed(id, "02");
    expect(await plan(repo, "-m", "Third go", "--from", "02")).toMatchObject({ turn: "03" });
    expect((await repo.refused(["session", "plan", "-m", "x", "--from", "01"])).message).toContain(
      "02 follows turn 01",
    );
    expect((await repo.refused(["session", "branch", "09"])).code).toBe("unknown_turn");
    const drawn = await repo.clew("session", "turns");
    expect(drawn.split("\n").flatMap((line) => /^[ │]*(?:[├└]─ )?\d\S*/.exec(line) ?? [])).toEqual([
      id,
      "01",
      "02",
      "└─ 02-branch-01",
      "   └─ 02-branch-01-branch-01",
      "   02-branch-01-03",
      "03",
    ]);
    const listed = await repo.json<{ turns: { turn: string; status: string }[]; next_execute: string }>(
      "session",
      "turns",
    );
    expect(listed.next_execute).toBe("03");
    expect(listed.turns.map(({ status }) => status)).toEqual([
      "SUCCESS",
      "SUCCESS",
      "SUCCESS",
      "planned",
      "planned",
      "planned",
    ]);
  });
});

describe("T3 agents as files", () => {
  test("T3 .clew/agents goes before the built-in agents, and says engine and model", async () => {
    using repo = new TurnRepo();
    repo.configure("engine: claude\n");
    repo.answers({ "You are our own dev": planText("Own") });
    repo.write(".clew/agents/dev.md", "---\nengine: scripted\nmodel: tiny\n---\nYou are our own dev.\n");
    const id = await repo.newSession("own");
    expect(await plan(repo, "-m", "x", "-a", "dev")).toMatchObject({ agent: "dev", engine: "scripted" });
    const { system } = readContextLog(repo.turnFile(id, "01", "_context.log"))!;
    expect(system.startsWith("# dev\n\nYou are our own dev.\n\n# Your answer")).toBe(true);
  });
});
