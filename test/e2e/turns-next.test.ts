import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readContextLog } from "../../src/turn/log/context-log.ts";
import { action } from "../support/execution-repo.ts";
import { planText, TurnRepo } from "../support/turn-repo.ts";

interface Listed {
  turns: { turn: string; status: string; after: string | null }[];
  next_plan: string | null;
  next_execute: string | null;
  handed_to: string | null;
}

/** Ends what the engine plays: nothing after it is said. */
const result = { success: true, summary: "planned", outputs: {} };

describe("T3 T7 what comes next", () => {
  test("T3 a plan whose file is removed counts as given up, and the next plan takes the next number", async () => {
    using repo = new TurnRepo();
    repo.answers({ "First go": planText("One"), "Second go": planText("Two") });
    const id = await repo.newSession("discard");
    await repo.clew("session", "plan", "-m", "First go");
    rmSync(join(repo.root, ".clew/sessions", id, "01/plan.md"));
    const gone = await repo.json<Listed>("session", "turns");
    expect(gone).toMatchObject({ turns: [{ turn: "01", status: "missing" }], next_plan: "02", next_execute: null });
    const { code, stderr } = await repo.run(["session", "plan", "-m", "Second go"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("the plan of turn 01 is gone, and was never executed")]);
    rmSync(join(repo.root, ".clew/sessions", id, "02"), { recursive: true });
    expect((await repo.run(["session", "plan", "-m", "Second go"])).code).toBe(0);
    const listed = await repo.json<Listed>("session", "turns");
    expect(listed.turns.map(({ turn, status, after }) => [turn, status, after])).toEqual([
      ["01", "missing", null],
      ["02", "missing", null],
      ["03", "planned", null],
    ]);
    expect((await repo.show(id)).phases.map(({ title }) => title)).toEqual([
      "Plan 01: One",
      "Plan 02: Two",
      "Plan 03: Two",
    ]);
  });

  test("T2 plan and context tell which lines of which list bring in nothing", async () => {
    using repo = new TurnRepo();
    repo.answers({ Go: planText("One") });
    repo.write("src/a.ts", "a\n");
    repo.write(".clew/global.context", "# all\ngone.md\n");
    await repo.newSession("empty", "src", "lib/**", "src/*.ts");
    const shown = await repo.clew("session", "context");
    expect(shown).toContain("lib/** (session:2) matches no file");
    const { stderr } = await repo.run(["session", "plan", "-m", "Go"]);
    expect(stderr).toContain("warning: .clew/global.context:2: gone.md is missing");
    expect(stderr).toContain("warning: session.context:1: src is a folder: write src/**");
    expect(stderr).toContain("warning: session.context:2: lib/** matches no file");
    expect(await repo.clew("session", "context")).toContain("The plan of turn 01 has to be executed first");
  });

  test("T2 a pattern takes in nothing that stands in the folders of sessions; a path does", async () => {
    using repo = new TurnRepo();
    repo.answers({ Go: planText("One") });
    repo.write("src/a.ts", "a\n");
    const id = await repo.newSession("own", "**");
    await repo.clew("session", "plan", "-m", "Go");
    repo.executed(id, "01");
    repo.git("add", "-A", ".clew");
    const paths = async (): Promise<string[]> =>
      (await repo.json<{ files: { path: string }[] }>("session", "context")).files.map(({ path }) => path);
    expect(await paths()).toContain("src/a.ts");
    expect((await paths()).filter((path) => path.startsWith(".clew/sessions/"))).toEqual([]);
    repo.write(`.clew/sessions/${id}/session.context`, `.clew/sessions/${id}/01/plan.md\n`);
    expect(await paths()).toEqual([`.clew/sessions/${id}/01/plan.md`]);
  });

  test("T2 braces in a list take time linear in their number", async () => {
    using repo = new TurnRepo();
    const braces = ["{", "{a,", "{}", "}{"].map((sign) => sign.repeat(Math.floor(4000 / sign.length)));
    repo.write("src/a.ts", "a\n");
    await repo.newSession("braces", ...Array.from({ length: 240 }, (_, at) => braces[at % 4]!), "src/{a,b}.ts");
    const begunAt = performance.now();
    const { files } = await repo.json<{ files: { path: string }[] }>("session", "context");
    expect(files.map(({ path }) => path)).toEqual(["src/a.ts"]);
    expect(performance.now() - begunAt).toBeLessThan(10_000);
  });

  test("T5 the next agent is told that a person undid the turn before", async () => {
    using repo = new TurnRepo();
    const actions = action.create("made.txt", "made");
    repo.answers({ "First go": planText("One", { actions }), "Second go": planText("Two") });
    const id = await repo.newSession("undone");
    await repo.clew("session", "plan", "-m", "First go");
    await repo.clew("session", "execute", "-y");
    await repo.clew("session", "undo", "01");
    await repo.clew("session", "plan", "-m", "Second go");
    const { report } = readContextLog(repo.turnFile(id, "02", "_context.log"))!;
    const undone = "# A person has since undone this turn: these files are as they were before it: made.txt\n";
    expect(report!.text).toBe(repo.turnFile(id, "01", "report.md") + undone);
  });

  test("T4 a repair asks the engine and the model that planned, unless others are named", async () => {
    using repo = new TurnRepo();
    repo.answers({ "# Repair": { say: planText("Mended"), result }, "Go wrong": "Sorry.\n" });
    const id = await repo.newSession("models");
    const models = (): (string | undefined)[] =>
      repo.lines(id).flatMap((line) => (line.type === "planned" ? [line.model] : []));
    await repo.run(["session", "plan", "-m", "Go wrong", "--model", "tiny"]);
    await repo.clew("session", "plan", "--repair");
    expect(models()).toEqual(["tiny", "tiny"]);
    repo.executed(id, "01");
    await repo.run(["session", "plan", "-m", "Go wrong", "--model", "tiny"]);
    await repo.clew("session", "plan", "--repair", "--model", "large");
    expect(models()).toEqual(["tiny", "tiny", "tiny", "large"]);
  });

  test("T3 an open plan waits in the inbox and in status, and its session does not run", async () => {
    using repo = new TurnRepo();
    repo.answers({ Go: planText("One") });
    const id = await repo.newSession("open");
    await repo.clew("session", "plan", "-m", "Go");
    const next = `clew session execute 01 -s ${id}`;
    const text = `turn 01 of ${id} waits to be executed: One`;
    const { items } = await repo.json<{ items: { text: string }[] }>("inbox");
    expect(items).toMatchObject([{ id: `turn:${id}:01`, session_id: id, turn: "01", next, text: `${text}\n${next}` }]);
    const status = await repo.clew("status");
    expect(status).toContain(next);
    expect(status).not.toContain("Running");
    expect((await repo.refused(["inbox", "answer", `turn:${id}:01`, "yes"])).hint).toContain(next);
    repo.executed(id, "01", [{ type: "INVOKE", parameters: { agent: "dev", text: "Go" } }]);
    expect((await repo.json<{ items: object[] }>("inbox")).items).toEqual([]);
    const turns = await repo.clew("session", "turns");
    expect(turns).toContain("clew session plan makes 02, by dev with the words it was handed");
  });

  test("T7 branches are drawn with their joints, an empty one has no branch, and a name that is taken is told", async () => {
    using repo = new TurnRepo();
    repo.answers({ Go: planText("One") });
    const id = await repo.newSession("again");
    await repo.clew("session", "plan", "-m", "Go");
    await repo.clew("session", "branch", "01");
    await repo.clew("session", "branch", "01");
    expect((await repo.refused(["session", "branch", "01-branch-02"])).message).toContain("is an empty branch");
    const { stderr: told } = await repo.run(["session", "diff", "01", "01-branch-02"]);
    expect(told).toContain("01-branch-02 is an empty branch: it has no plan yet");
    const quiet = await repo.run(["session", "plan", "--quiet", "-m", "Go", "--from", "01-branch-01"]);
    expect(quiet).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\S[^\n]*\/01-branch-01\/plan\.md\n$/),
      stderr: "",
    });
    const drawn = await repo.clew("session", "turns");
    expect(drawn).toContain("├─ 01-branch-01");
    expect(drawn).toContain("└─ 01-branch-02");
    const { stderr } = await repo.run(["session", "new", "again"]);
    expect(stderr).toContain(`there is one of that name already: ${id}; plain commands take the new one`);
    expect((await repo.run(["plan"])).stderr).toContain("did you mean clew session plan?");
  });
});
