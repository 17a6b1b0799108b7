import { readFileSync } from "node:fs";
import { join } from "node:path";
import { once } from "node:events";
import { expect, test } from "vitest";
import { until } from "../../src/adapters/shell/children.fixture.ts";
import { textsOf } from "../support/repo.ts";
import { describeEngines } from "./asked-engines.ts";
import { commandStarts, waiting, wakeCommand } from "./live-story.ts";
import { RealWorkRepo, run, saidIn, submit } from "./real-work-repo.ts";

describeEngines(["claude", "codex", "gemini"], "clew work that is killed on the real", (name) => {
  // Gemini does not tell what a command printed.
  const seen = name === "gemini" ? {} : { result: expect.stringContaining("seen") as string };

  test(
    "W5 W6 in the middle of a call: the record has all of it once, and the work goes on",
    { timeout: 240_000 },
    async () => {
      await using repo = await RealWorkRepo.of([name], run("I look.", "echo seen"), run("I wait.", waiting));
      const bead = await repo.bead("Mend the login");
      const child = repo.start(["work", "task", bead, "--json"]);
      child.stdin!.end();
      child.stdout!.resume();
      await commandStarts(repo.root);
      const id = (await repo.sessions())[0]!.session_id;
      const transcript = join(repo.home, "transcripts", id, repo.transcripts(id)[0]!);
      await until(() => readFileSync(transcript, "utf8").includes(waiting));
      child.kill("SIGKILL");
      await once(child, "close");

      const killed = await repo.show(id);
      expect(killed.frontmatter).toMatchObject({ status: "paused", bead });
      expect(killed.frontmatter.engine_sessions).toMatchObject([{ engine: name }]);
      expect(textsOf(killed).filter((text) => text.startsWith("I "))).toEqual(["I look.", "I wait."]);
      const tools = killed.phases.flatMap(({ entries }) => entries.filter(({ kind }) => kind === "tool"));
      expect(tools).toMatchObject([{ args: "echo seen", ...seen }, { args: expect.stringContaining("started.txt") }]);
      expect(await repo.show(id)).toEqual(killed);
      // The agent and its command are gone, too.
      expect(await wakeCommand(repo.root)).toBe(false);
      expect(await repo.status(bead)).toBe("open");
      for (const said of ["I look.", "I wait."]) expect(saidIn(await repo.rounds(id)).split(said)).toHaveLength(2);

      repo.says({ when: "Mend the login", ...submit({ success: true, summary: "Mended it." }) });
      const { code, end } = await repo.work("task", bead);
      expect([code, end]).toMatchObject([0, { session_id: id, status: "completed" }]);
      const texts = textsOf(await repo.show(id));
      for (const said of ["I look.", "I wait."]) expect(texts.filter((text) => text === said)).toHaveLength(1);
      expect(await repo.status(bead)).toBe("closed");
      expect(await repo.json("session", "import")).toMatchObject({ imported: 0, continued: 0 });
    },
  );
});
