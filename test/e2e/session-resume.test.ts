import { expect, test } from "vitest";
import { textsOf } from "../support/repo.ts";
import { WorkRepo, type News } from "../support/work-repo.ts";

const newsOf = (stdout: string): News[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as News);

test("S9 a session goes on with an agent from the record alone, and then in the engine's own session", async () => {
  using repo = await WorkRepo.with(
    { when: "Keep the old cookie", say: "I know of the cookie." },
    { when: "And now", say: "More." },
  );
  const id = await repo.clew("session", "start", "Fix the login");
  await repo.log(id, { kind: "decision", text: "Keep the old cookie" });
  await repo.clew("session", "pause", id);
  const first = await repo.run(["session", "resume", id, "-m", "Go on, please"]);
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining("completed")]);
  // It shows the context, then what the agent does.
  expect(first.stdout).toMatch(/Keep the old cookie[\s\S]*I know of the cookie\./);
  const { frontmatter } = await repo.show(id);
  expect(frontmatter.engine_sessions).toMatchObject([{ engine: "scripted" }]);
  expect(textsOf(await repo.show(id))).toEqual(["Keep the old cookie", "Go on, please", "I know of the cookie."]);
  const second = newsOf((await repo.run(["session", "resume", id, "-m", "And now", "--json"])).stdout);
  expect(second[0]).toMatchObject({ session_id: id });
  const engineSession = (frontmatter.engine_sessions as { session: string }[])[0]!.session;
  expect(second.at(-1)).toMatchObject({
    type: "ended",
    session_id: id,
    engine_session: engineSession,
    answer: "More.",
  });
});

test("S9 in a pipe each line is a message; without one the agent just goes on", async () => {
  using repo = await WorkRepo.with({ say: "Going on." }, { when: "tell me more", say: "More." });
  const id = await repo.clew("session", "start", "Fix the login");
  await repo.clew("session", "pause", id);
  const { code, stdout } = await repo.run(["session", "resume", id, "-q"], { input: "tell me more\n" });
  expect([code, stdout]).toEqual([0, "More.\n"]);
  expect(textsOf(await repo.show(id))).toEqual(["Going on.", "tell me more", "More."]);
});

test("S9 W6 a work session goes on with its bead, on another engine from the record alone", async () => {
  using repo = await WorkRepo.with({ say: "Half", result: { success: false, summary: "Later.", status: "paused" } });
  const bead = await repo.bead("Mend the login");
  const { end } = await repo.work("task", bead);
  repo.plays({ when: "go on from there", say: "The rest", result: { success: true, summary: "Mended." } });
  const { code } = await repo.run(["session", "resume", String(end["session_id"])]);
  expect([code, await repo.status(bead)]).toEqual([0, "closed"]);
});

test("S9 an engine that is named and missing is refused, and so is the session of a run at work", async () => {
  using repo = await WorkRepo.with({ say: "x" });
  const id = await repo.clew("session", "start", "Fix the login");
  expect(await repo.refused(["session", "resume", id, "--engine", "clod"])).toMatchObject({ code: "unknown_engine" });
});
