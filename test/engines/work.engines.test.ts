import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { engineNames, type EngineName } from "../../tools/engines/programs.mjs";
import { textsOf } from "../support/repo.ts";
import { askedEngines, describeEngines } from "./asked-engines.ts";
import { RealWorkRepo, run, saidIn, submit } from "./real-work-repo.ts";

const timeout = 240_000;

/** Begins a task on Claude Code, which stops by itself half way; the other engine knows it from the record, and ends it. */
async function overBoth(other: EngineName) {
  const repo = await RealWorkRepo.of(
    ["claude", other],
    run("I write the first half.", "echo one > one.txt"),
    submit({ success: false, summary: "The second half is missing.", status: "paused" }),
    { say: "Stopped." },
  );
  const bead = await repo.bead("Write both halves");
  const first = await repo.work("task", bead);
  repo.says(
    run("I write the second half.", "echo two > two.txt"),
    submit({ success: true, summary: "Both halves are there." }),
    { say: "Done." },
  );
  const second = await repo.work("task", bead, "--engine", other);
  return { repo, bead, first, second, id: String(first.end["session_id"]) };
}

for (const other of ["codex", "gemini"] as const) {
  const isAsked = ["claude", other].every((name) => askedEngines().includes(name as EngineName));
  describe.runIf(isAsked)(`one work session over claude and ${other}`, { timeout }, () => {
    test("W3 W5 W6 W8 W12 begun on the one, stopped half way, ended on the other, and never imported again", async () => {
      const { bead, first, second, id, repo: opened } = await overBoth(other);
      await using repo = opened;
      expect([first.code, first.end]).toMatchObject([4, { status: "paused", reason: "paused" }]);
      expect([second.code, second.end]).toMatchObject([0, { session_id: id, status: "completed", done: [bead] }]);
      expect(await repo.status(bead)).toBe("closed");
      for (const half of ["one", "two"]) expect(readFileSync(join(repo.root, `${half}.txt`), "utf8")).toBe(`${half}\n`);
      // The second engine is told by the record what the first one did.
      const [asked] = repo.model.rounds.filter(({ news }) => news?.includes("Others worked on this before you"));
      expect(asked?.news).toContain("I write the first half.");

      const engines = await repo.engineSessions(id);
      expect(engines.map(({ engine }) => engine)).toEqual(["claude", other]);
      expect(engines.map(({ session }) => session)).toEqual([
        first.end["engine_session"],
        second.end["engine_session"],
      ]);
      const texts = textsOf(await repo.show(id));
      for (const said of ["I write the first half.", "I write the second half."])
        expect(texts.filter((text) => text === said)).toHaveLength(1);
      const rounds = await repo.rounds(id);
      for (const { engine, session } of engines) {
        const own = rounds.filter((each) => each.engine === engine);
        expect(saidIn(own)).toContain(`I write the ${engine === "claude" ? "first" : "second"} half.`);
        expect(new Set(own.map((each) => each.engine_session))).toEqual(new Set([session]));
        const transcripts = repo.transcripts(id).filter((file) => file.startsWith(`${engine}-`));
        expect([...new Set(own.map((each) => each.transcript?.file))]).toEqual(transcripts);
      }

      expect(await repo.json("session", "import")).toMatchObject({ imported: 0, continued: 0, sessions: [] });
      expect((await repo.sessions()).map(({ session_id }) => session_id)).toEqual([id]);
    });

    test("W12 what both did without Clew is imported, once", async () => {
      await using repo = await RealWorkRepo.of(
        ["claude", other],
        run("I look.", "expr 6 '*' 7"),
        run("I fail.", "echo broken; exit 3"),
        { say: "It is 42.", usage: { input: 1500, output: 30, cached: 1000 } },
      );
      for (const name of ["claude", other] as const) await repo.bare(name, `What is the answer, ${name}?`);
      const { sessions, ...told } = await repo.json<{ sessions: string[] }>("session", "import");
      expect(told).toMatchObject({ imported: 2, continued: 0, skipped: [] });
      for (const name of ["claude", other] as const) {
        const id = sessions.find((each) => each.includes(name))!;
        const { frontmatter, phases } = await repo.show(id);
        // Two rounds with 1050 tokens, and one with 1530.
        expect(frontmatter).toMatchObject({ kind: "import", participants: [name], tokens_used: 3630 });
        expect(frontmatter.engine_sessions).toMatchObject([{ engine: name, folder: repo.root }]);
        expect(phases.map(({ title }) => title)).toEqual([`What is the answer, ${name}?`]);
        const entries = phases.flatMap((phase) => phase.entries);
        expect(entries.filter(({ kind }) => kind === "tool")).toMatchObject([
          { args: "expr 6 '*' 7", result: expect.stringContaining("42"), failed: false },
          { args: "echo broken; exit 3", result: expect.stringContaining("broken"), failed: true },
        ]);
        expect(entries.flatMap((each) => (each.kind === "text" ? [each.text] : []))).toEqual([
          "I look.",
          "I fail.",
          "It is 42.",
        ]);
      }
      expect(await repo.json("session", "import")).toMatchObject({ imported: 0, continued: 0, unchanged: 2 });
    });
  });
}

describeEngines(engineNames, "clew work on the real", (name) => {
  test(
    "W8 a hard stop: the session has failed, the bead is as before, and all of it can go on",
    { timeout },
    async () => {
      await using repo = await RealWorkRepo.of([name], run("I begin.", "echo begun > begun.txt"), {
        say: "I am done, believe me.",
      });
      const bead = await repo.bead("Mend the login");
      const { code, end } = await repo.work("task", bead);
      expect([code, end]).toMatchObject([1, { status: "failed", reason: "failed", error: expect.any(String) }]);
      expect(await repo.status(bead)).toBe("open");
      const id = String(end["session_id"]);
      const failed = await repo.show(id);
      expect(failed.frontmatter).toMatchObject({ status: "failed", error: end["error"] });
      expect(textsOf(failed)).toEqual(expect.arrayContaining(["I begin.", "I am done, believe me."]));
      const rounds = await repo.rounds(id);
      for (const said of ["I begin.", "I am done, believe me."]) expect(saidIn(rounds)).toContain(said);
      expect(repo.transcripts(id)).toHaveLength(1);
      expect(existsSync(join(repo.root, "begun.txt"))).toBe(true);

      repo.says({ when: "Mend the login", ...submit({ success: true, summary: "Mended it." }) });
      const again = await repo.work("task", bead);
      expect([again.code, again.end]).toMatchObject([0, { session_id: id, status: "completed" }]);
      // Gemini may lose a session that it loads in the minute of its beginning; then another one is told by the record.
      if (name !== "gemini") expect(again.end["engine_session"]).toBe(end["engine_session"]);
      expect(await repo.status(bead)).toBe("closed");
      const after = await repo.show(id);
      expect(after.frontmatter.error).toBeUndefined();
      expect(textsOf(after).filter((text) => text === "I begin.")).toHaveLength(1);
      expect((await repo.rounds(id)).slice(0, rounds.length)).toEqual(rounds);
    },
  );
});
