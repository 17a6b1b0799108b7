import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StatsGroup } from "../../src/contract/api/session-list.ts";
import type { SessionNode } from "../../src/contract/api/session-report.ts";
import type { SubagentEntry } from "../../src/contract/session.ts";
import { until } from "../support/runs.ts";
import { call, claudeEnd, claudeInit, playClaude, resultOf, said, text } from "../support/stream-engine.ts";
import { WorkRepo } from "../support/work-repo.ts";

const task = { subagent_type: "reviewer", description: "Look at the roof" };
/** One subagent that comes to its end, and one that is at work. */
const lines = [
  claudeInit,
  said({ id: "m1", blocks: [text("I ask."), call("c1", "Task", task)], tokens: [60, 10] }),
  said({ id: "s1", blocks: [text("It leaks.")], tokens: [20, 5], under: "c1" }),
  resultOf("c1", "It leaks at the top."),
  said({ id: "m2", blocks: [text("Again."), call("c2", "Task", task)], tokens: [15, 5] }),
  said({ id: "s2", blocks: [text("I begin.")], tokens: [4, 1], under: "c2" }),
];
const unwritten = said({ id: "m4", blocks: [text("Nobody wrote this down.")], tokens: [1, 1] });
const rest = [
  claudeInit,
  said({ id: "m3", blocks: [text("The rest.")], tokens: [3, 1] }),
  claudeEnd([3, 1], 1, { success: true, summary: "Mended it." }),
];

/** Waits until it is told to stop, and says that it was; or until nobody is there who could. */
const stopped = { type: "result", subtype: "error_during_execution", is_error: true, errors: ["it was interrupted"] };
const usage = { input_tokens: 99, output_tokens: 21 };
const lastLine = JSON.stringify({ ...stopped, terminal_reason: "aborted_tools", usage });
const untilInterrupted = `while read -r line; do case "$line" in *'"subtype":"interrupt"'*) echo '${lastLine}'; exit 1;; esac; done`;

/** All files of one name below a folder, as one text. */
function textBelow(folder: string, name: RegExp): string {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return files.flatMap((file) => (name.test(file) ? [readFileSync(join(folder, file), "utf8")] : [])).join("");
}

/** Begins to work, and waits until the transcript has all lines and the record what it has of the first subagent. */
async function begun(mode: string) {
  const repo = await WorkRepo.with();
  repo.configure(`engine: claude\nsubagent_mode: ${mode}\n`);
  const bead = await repo.bead("Mend the roof");
  playClaude(repo, lines, untilInterrupted);
  const driver = repo.start(["work", "task", bead]);
  const ended = new Promise<number | null>((over) => driver.on("exit", over));
  const isThere = (): boolean =>
    textBelow(join(repo.home, "transcripts"), /-work\.jsonl$/).includes("I begin.") &&
    textBelow(join(repo.root, ".clew/sessions"), /session\.md$/).includes("Summary: It leaks at the top.");
  await until(isThere, 5);
  return { repo, bead, driver, ended };
}

async function tokensOf(repo: WorkRepo): Promise<number> {
  const { groups } = await repo.json<{ groups: StatsGroup[] }>("session", "stats", "--by", "engine");
  return groups.reduce((sum, { tokens_used }) => sum + (tokens_used ?? 0), 0);
}

async function seen(repo: WorkRepo) {
  const { sessions } = await repo.json<{ sessions: { session_id: string; title: string }[] }>("session", "list");
  const { session_id: id } = sessions.find(({ title }) => title === "Mend the roof")!;
  const [session] = (await repo.json<{ sessions: SessionNode[] }>("session", "tree", id)).sessions;
  const { frontmatter, phases } = await repo.show(id);
  const entries = phases.flatMap((phase) => phase.entries);
  const callouts = entries.filter((each): each is SubagentEntry => each.kind === "subagent");
  const { children } = session!;
  return { frontmatter, callouts, children };
}

async function expectOnce(repo: WorkRepo, mode: string): Promise<void> {
  const { frontmatter, callouts, children } = await seen(repo);
  expect(callouts.map((each) => [each.mode, each.summary, each.tokens])).toEqual([
    [mode, "It leaks at the top.", 25],
    [mode, "abandoned", 5],
  ]);
  const ids = children.map(({ session_id }) => session_id);
  if (mode === "inline") {
    expect([ids, frontmatter.subagents]).toEqual([[], [{ agent: "reviewer", model: "claude-opus-5-5", tokens: 30 }]]);
    expect(callouts.map(({ content }) => content)).toEqual(["It leaks.", "I begin."]);
    return;
  }
  expect(children.map(({ status, tokens_used }) => [status, tokens_used])).toEqual([
    ["completed", 25],
    ["abandoned", 5],
  ]);
  expect(callouts.map(({ session }) => session)).toEqual(ids);
  expect(frontmatter.subagents?.map(({ session }) => session)).toEqual(ids);
  const kinds = (await repo.show(ids[1]!)).phases.flatMap(({ entries }) => entries.map(({ kind }) => kind));
  expect(kinds).toEqual(["text", "tokens"]);
}

test.each(["inline", "link", "embed"])(
  "W5 W9 S5 after kill -9 subagents stand there once, as subagent_mode says: %s",
  async (mode) => {
    const { bead, driver, ended, ...working } = await begun(mode);
    using repo = working.repo;
    driver.kill("SIGKILL");
    await ended;
    await expectOnce(repo, mode);
    expect(await tokensOf(repo)).toBe(120);
    playClaude(repo, rest);
    expect((await repo.work("task", bead)).code).toBe(0);
    await expectOnce(repo, mode);
    expect(await tokensOf(repo)).toBe(124);
  },
);

test.each([
  ["inline", "link"],
  ["link", "embed"],
  ["embed", "link"],
  ["embed", "inline"],
])(
  "W5 S5 after kill -9 subagents stand there as they were begun, also when subagent_mode changed since: %s, then %s",
  async (mode, later) => {
    const { driver, ended, ...working } = await begun(mode);
    using repo = working.repo;
    driver.kill("SIGKILL");
    await ended;
    repo.configure(`engine: claude\nsubagent_mode: ${later}\n`);
    await expectOnce(repo, mode);
    expect(await tokensOf(repo)).toBe(120);
  },
);

test.each(["link", "embed"])(
  "W4 W6 a dead agent's transcript is found by its place when .clew/state is gone: %s",
  async (mode) => {
    const { driver, ended, bead, ...working } = await begun(mode);
    using repo = working.repo;
    driver.kill("SIGKILL");
    await ended;
    rmSync(join(repo.home, "state"), { recursive: true });
    const [file] = readdirSync(join(repo.home, "transcripts"), { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith("-work.jsonl"),
    );
    // What its driver never wrote.
    appendFileSync(join(repo.home, "transcripts", file!), `${JSON.stringify(unwritten)}\n`);
    await expectOnce(repo, mode);
    const { phases } = await repo.show(
      (await repo.json<{ sessions: { session_id: string }[] }>("session", "list", "--kind", "work")).sessions.find(
        ({ session_id }) => session_id.endsWith("mend-the-roof"),
      )!.session_id,
    );
    expect(JSON.stringify(phases)).toContain("Nobody wrote this down.");
    expect(await tokensOf(repo)).toBe(122);
    playClaude(repo, rest);
    expect((await repo.work("task", bead)).code).toBe(0);
    expect(await tokensOf(repo)).toBe(126);
  },
);

test.each(["inline", "link", "embed"])("W9 W11 S5 Ctrl-C leaves a subagent at work abandoned: %s", async (mode) => {
  const { driver, ended, ...working } = await begun(mode);
  using repo = working.repo;
  driver.kill("SIGINT");
  expect(await ended).toBe(130);
  await expectOnce(repo, mode);
  expect(await tokensOf(repo)).toBe(120);
});
