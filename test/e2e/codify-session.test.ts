import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentStep, ScriptStep } from "../../src/contract/grimoire.ts";
import { CodifyRepo, phase, ran, tool } from "../support/codify-repo.ts";
import { bead, write, writeBead } from "../support/grimoires.ts";
import { showRun } from "../support/runs.ts";

/** Work as people and agents log it: a search, a fix that takes tests two rounds, an approval. */
const work = [
  phase("Research", "scout@1.2", "ideas"),
  { kind: "user", text: "Find out why Fix the login fails", action: "searched" },
  tool("Read", "src/login.ts"),
  tool("Write", "notes/cause.md"),
  { kind: "decision", text: "Renew the token" },
  phase("Test", "coder"),
  ran("test -f fixed.txt", "1 failed", true),
  phase("Fix", "coder"),
  tool("Read", "notes/cause.md"),
  tool("Edit", "src/login.ts"),
  phase("Test again", "coder"),
  ran("test -f fixed.txt", "1 failed", true),
  phase("Fix 2", "coder"),
  tool("Edit", "src/token.ts"),
  phase("Test again", "coder"),
  ran("test -f fixed.txt", "passed"),
  phase("Tidy", "coder"),
  ran("test -s tidy.txt", "no", true),
  tool("Write", "tidy.txt"),
  ran("test -s tidy.txt", ""),
  phase("Report"),
  ran("echo fixed proj-1", "fixed proj-1"),
  phase("Ship"),
];

class SessionRepo extends CodifyRepo {
  constructor() {
    super();
    writeBead(this, bead, { ...bead, id: "proj-2", title: "Fix the logout" });
    write(this, ".clew/config.yaml", "engine: scripted\n");
    this.git("add", "--all");
    this.git("commit", "-q", "-m", "bead");
    const success = { success: true, summary: "done" };
    const turns = [
      { when: "# Research", write: { path: "notes/cause.md", content: "why\n" }, result: success },
      { when: "# Fix", write: { path: "fixed.txt", content: "yes\n" }, result: success },
      { when: "# Tidy", write: { path: "tidy.txt", content: "yes\n" }, result: success },
      { result: success },
    ];
    write(this, "script.json", JSON.stringify({ turns }));
    Object.assign(this.env, { CLEW_SCRIPT: join(this.root, "script.json") });
  }

  /** The bead that a session worked on, as its owner writes it there. */
  giveBead(id: string): void {
    const file = this.path(id);
    write(this, file.slice(this.root.length + 1), this.read(id).replace("status:", "bead: proj-1\nstatus:"));
  }
}

describe("S13 a session becomes a workflow", () => {
  test("S13 phases are steps, tests and fixes a loop, what was fixed a gate, an approval a merge", async () => {
    using repo = new SessionRepo();
    const id = await repo.session("Fix the login", [...work, { kind: "approval_required", text: "Merge it?" }]);
    repo.giveBead(id);
    const { items } = await repo.json<{ items: { id: string }[] }>("inbox");
    await repo.clew("inbox", "answer", items[0]!.id, "yes, go ahead");
    const { grimoire, problems, notes } = await repo.codify(id);
    expect([problems, notes]).toEqual([[], []]);
    expect(grimoire.steps.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "research agent",
      "test-loop loop",
      "tidy agent",
      "report script",
      "ship merge",
    ]);
    const [research, loop, tidy, report] = grimoire.steps as [
      AgentStep,
      { steps: [ScriptStep, AgentStep] },
      AgentStep,
      ScriptStep,
    ];
    expect(research).toMatchObject({
      agent: "scout@1.2",
      spell: expect.stringContaining("Find out why {{.bead.title}} fails"),
    });
    const [check, fix] = loop.steps;
    expect(check).toMatchObject({ command: "test -f fixed.txt", on_success: "exit_loop", on_fail: "continue" });
    // What the research wrote is read by the fix.
    expect(fix.spell).toContain("research (notes/cause.md): {{.research.summary}}");
    expect(fix.spell).toContain("{{.test.output}}");
    expect(tidy.requires).toMatchObject([{ kind: "command", command: "test -s tidy.txt" }]);
    expect(report.command).toBe("echo fixed {{.bead.id}}");
    const skill = await repo.codify(id, "--format", "skill");
    expect([skill.valid, skill.name]).toEqual([true, "fix-the-login"]);
    expect(skill.text).toMatch(/^---\nname: fix-the-login\ndescription: /);

    await repo.clew("session", "codify", id, "-o", ".clew/grimoires/fix-the-login.yaml");
    await repo.clew("grimoire", "validate", "fix-the-login");
    await repo.clew("grimoire", "preview", "fix-the-login", "--bead", "proj-2");
    const { code, stdout } = await repo.run(["run", "proj-2", "--grimoire", "fix-the-login"]);
    expect([code, stdout]).toEqual([4, expect.anything()]);
    const { steps } = await showRun(repo);
    expect(steps.map(({ path }) => path)).toContain("test-loop[2]/test");
  });

  test("S13 what a run of a codified workflow changes lands, where the session had no merge", async () => {
    using repo = new SessionRepo();
    const id = await repo.session("Fix the login", work);
    const { notes } = await repo.codify(id);
    expect(notes).toEqual([
      expect.stringMatching(/^a merge with a review was added .* verifies with test -f fixed.txt$/),
    ]);
    const markup = await repo.codify(id, "--format", "markup");
    expect(markup.notes[0]).toMatch(
      /^NOTHING LANDS: workflow markup has no merges.*stays in their worktrees, not committed/,
    );
    await repo.clew("session", "codify", id, "-o", "flow.yaml");
    expect((await repo.run(["run", "proj-2", "--grimoire", "flow.yaml"])).code).toBe(4);
    expect((await repo.run(["run", "approve", "proj-2"])).code).toBe(0);
    expect(repo.git("show", "HEAD:fixed.txt")).toContain("yes");
  });

  test("S13 the channels of phases stand in the headings of markup, and a secret in one does not", async () => {
    using repo = new SessionRepo();
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const id = await repo.session("Fix the login", [
      phase("Research", "scout", "ideas"),
      tool("Write", "notes/cause.md"),
      phase("Fix", "coder", secret),
      tool("Edit", "src/login.ts"),
    ]);
    // As a person may write it into the file.
    write(repo, repo.path(id).slice(repo.root.length + 1), repo.read(id).replace(/#\S*redacted\S*/i, `#${secret}`));
    expect(repo.read(id)).toContain(secret);
    const { text, valid } = await repo.codify(id, "--format", "markup");
    expect(valid).toBe(true);
    expect(text).toContain("## research @scout #ideas\n");
    expect(text).toContain("## fix @coder");
    expect(text).not.toContain(secret);
  });

  test("S13 of a secret that a person wrote into the file not even the half stays where a text is cut", async () => {
    using repo = new SessionRepo();
    const secret = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const before = "word ".repeat(116);
    const id = await repo.session("Fix the login", [
      phase("Research"),
      { kind: "decision", text: `${before}PUT` },
      { kind: "user", text: `${" ".repeat(2380)} PUT` },
      phase("Lint"),
      ran(`npm run lint | grep ${"word ".repeat(36)}PUT`),
    ]);
    write(repo, repo.path(id).slice(repo.root.length + 1), repo.read(id).replaceAll("PUT", secret));
    expect(repo.read(id).split(secret)).toHaveLength(4);
    for (const format of ["grimoire", "markup", "skill"]) {
      const { text, notes } = await repo.codify(id, "--format", format);
      expect(text + notes.join("\n")).not.toContain(secret.slice(0, 8));
    }
  });

  test("S13 a script whose secret was redacted does not run, and no gate is made of one", async () => {
    using repo = new SessionRepo();
    const secret = `ghp_${"a1B2c3D4".repeat(4)}abcd`;
    const id = await repo.session("Publish it", [
      phase("Upload"),
      ran(`./upload.sh --token ${secret} made.zip`, "made upload-77a1"),
      phase("Tell"),
      ran("./tell.sh upload-77a1", "told"),
      phase("Mend"),
      tool("Edit", "a.ts"),
      ran(`./check.sh ${secret}`, "no", true),
      ran(`./check.sh ${secret}`, "yes"),
    ]);
    const { grimoire, notes, valid } = await repo.codify(id);
    expect(valid).toBe(true);
    expect(grimoire.steps.map(({ name, type, when }) => [name, type, when])).toEqual([
      ["upload", "script", false],
      ["tell", "script", undefined],
      ["mend", "agent", undefined],
      ["merge", "merge", undefined],
    ]);
    expect(grimoire.steps[0]).toMatchObject({ command: "./upload.sh --token '[redacted:github-token]' made.zip" });
    expect(notes).toContainEqual(expect.stringMatching(/^upload does not run: put what it needs/));
    const skill = await repo.codify(id, "--format", "skill");
    expect(skill.text).not.toContain("./upload.sh");
    expect(skill.notes).toContainEqual(expect.stringMatching(/^these steps do not run, .*: upload$/));
    expect(notes).toContainEqual(
      expect.stringContaining("Mend: no gate was made of a command that lacks a secret: ./check"),
    );
  });

  test("S13 several sessions give what they have in common", async () => {
    using repo = new SessionRepo();
    const one = await repo.session("Fix the login", work);
    const two = await repo.session("Fix the logout", [
      phase("Think"),
      { kind: "decision", text: "Otherwise" },
      ...work,
    ]);
    const { grimoire, sessions, valid } = await repo.codify(one, two);
    expect([sessions, valid]).toEqual([[one, two], true]);
    expect(grimoire.steps.map(({ name }) => name)).toEqual(["research", "test-loop", "tidy", "report", "merge"]);
    expect(await repo.refused(["session", "codify", two, "latest"])).toMatchObject({
      code: "invalid_input",
      message: `${two} is named twice: what a session has in common with itself is all of it`,
    });
    const three = await repo.session("Other", [phase("Else"), { kind: "decision", text: "Nothing of it" }]);
    expect(await repo.refused(["session", "codify", one, three])).toMatchObject({
      code: "not_possible_now",
      message: expect.stringContaining("no step in common"),
    });
  });

  test("S13 refuses what is empty, unknown or in the way", async () => {
    using repo = new SessionRepo();
    const empty = await repo.session("Empty", []);
    expect((await repo.refused(["session", "codify", empty])).message).toContain("nothing was done");
    expect((await repo.refused(["session", "codify", "no-such"])).code).toBe("unknown_session");
    const id = await repo.session("Fix the login", work);
    write(repo, "there.yaml", "mine\n");
    const refusal = await repo.refused(["session", "codify", id, "-o", "there.yaml"]);
    expect(refusal.message).toBe("there.yaml is there already");
    expect((await repo.refused(["session", "codify", id, "--interactive"])).code).toBe("usage");
    expect((await repo.refused(["session", "codify", id, "--engine", "scripted"])).message).toContain("--refine");
  });
});
