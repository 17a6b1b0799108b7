import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { SessionStats, StatsGroup } from "../../src/contract/api/session-list.ts";
import type { SessionNode, SessionTimeline } from "../../src/contract/api/session-report.ts";
import { groupings } from "../../src/contract/session-row.ts";
import type { Repo } from "../support/repo.ts";
import { until } from "../support/runs.ts";
import { call, claudeEnd, claudeInit, playClaude, resultOf, said, text } from "../support/stream-engine.ts";
import { WorkRepo } from "../support/work-repo.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");
const done = { success: true, summary: "Mended it." };
const later = { success: false, summary: "Later.", status: "paused" };

async function groupsBy(repo: Repo, by: string): Promise<Record<string, [number | null, number | null]>> {
  const { groups } = await repo.json<{ groups: StatsGroup[] }>("session", "stats", "--by", by);
  return Object.fromEntries(groups.map(({ key, tokens_used, cost_usd }) => [key, [tokens_used, cost_usd]]));
}

/** What engines have printed so far. */
function transcripts(repo: Repo): string {
  const folder = join(repo.home, "transcripts");
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  return files
    .flatMap((file) => (file.endsWith("-work.jsonl") ? [readFileSync(join(folder, file), "utf8")] : []))
    .join("");
}

/** Every grouping gives the same whole. */
async function expectWhole(repo: Repo, tokens: number, cost: number): Promise<void> {
  for (const by of groupings) {
    const figures = Object.values(await groupsBy(repo, by));
    const sum = (of: 0 | 1): number => Math.round(figures.reduce((all, each) => all + (each[of] ?? 0), 0) * 1e6) / 1e6;
    expect([by, sum(0), sum(1)]).toEqual([by, tokens, cost]);
  }
}

test("W9 a session that worked on two engines counts for each of them, in tokens and cost, by engine and by agent", async () => {
  using repo = await WorkRepo.with({ say: "Half.", usage: { input: 90, output: 10, cost_usd: 0.25 }, result: later });
  const bead = await repo.bead("Mend the roof");
  expect((await repo.work("task", bead)).code).toBe(4);
  playClaude(repo, [
    claudeInit,
    said({ id: "m1", blocks: [text("The rest.")], tokens: [300, 20] }),
    claudeEnd([300, 40], 1.5, done),
  ]);
  expect((await repo.work("task", bead, "--engine", "claude")).code).toBe(0);
  const shares = { scripted: [100, 0.25], claude: [340, 1.5] };
  expect(await groupsBy(repo, "engine")).toEqual(shares);
  expect(await groupsBy(repo, "agent")).toEqual(shares);
  await expectWhole(repo, 440, 1.75);
  const stats = await repo.json<SessionStats>("session", "stats", "latest");
  expect(stats).toMatchObject({ tokens_used: 440, cost_usd: 1.75 });
  expect(stats.engines).toEqual([
    { engine: "scripted", rounds: 1, tokens_used: 100, cost_usd: 0.25 },
    { engine: "claude", rounds: 1, tokens_used: 340, cost_usd: 1.5 },
  ]);
  const { events } = await repo.json<SessionTimeline>("session", "timeline", "latest");
  expect(events.flatMap(({ kind, text: words }) => (kind === "engine" ? [words] : []))).toEqual([
    "scripted work",
    "claude work (after scripted)",
  ]);
  await repo.clew("index", "rebuild");
  expect(await groupsBy(repo, "engine")).toEqual(shares);
});

test("W9 what a track used counts for its tasks, also where one agent took up the next by itself", async () => {
  using repo = await WorkRepo.with();
  const track = await repo.bead("The release", "-t", "epic");
  const one = await repo.bead("One", "--parent", track, "-p", "0");
  const two = await repo.bead("Two", "--parent", track, "-p", "1");
  const three = await repo.bead("Three", "--parent", track, "-p", "2");
  const sync = `echo '{"success": true, "summary": "Did it."}' | '${process.execPath}' '${program}' ai sync --cookie "$CLEW_SESSION" --result -`;
  repo.plays(
    { when: "One", run: sync, usage: { input: 100, output: 0, cost_usd: 0.1 } },
    { when: "One", say: "And now two.", usage: { input: 300, output: 0, cost_usd: 0.3 }, result: done },
    { when: "Three", usage: { input: 50, output: 0, cost_usd: 0.5 }, result: done },
  );
  expect((await repo.work("track", track)).end).toMatchObject({ done: [one, two, three] });
  expect(await groupsBy(repo, "bead")).toEqual({
    [track]: [null, null],
    [one]: [100, 0.1],
    [two]: [300, 0.3],
    [three]: [50, 0.5],
  });
  await expectWhole(repo, 450, 0.9);
});

test("W9 S5 a subagent of a live agent has a session of its own, linked, and its tokens count once", async () => {
  using repo = await WorkRepo.with();
  const bead = await repo.bead("Mend the roof");
  const task = { subagent_type: "reviewer", description: "Look at the roof", prompt: "Look at it." };
  playClaude(repo, [
    claudeInit,
    said({ id: "m1", blocks: [text("I ask."), call("c1", "Task", task)], tokens: [1000, 10] }),
    said({ id: "s1", blocks: [call("c2", "Bash", { command: "ls roof" })], tokens: [200, 20], under: "c1" }),
    resultOf("c2", "tiles", "c1"),
    said({ id: "s2", blocks: [text("It leaks.")], tokens: [300, 30], under: "c1" }),
    resultOf("c1", "It leaks at the top."),
    said({ id: "m2", blocks: [text("I see.")], tokens: [2000, 20] }),
    claudeEnd([3500, 100], 2, done),
  ]);
  expect((await repo.work("task", bead, "--engine", "claude")).code).toBe(0);
  const [session] = (await repo.json<{ sessions: SessionNode[] }>("session", "tree", "latest")).sessions;
  expect(session!.total).toEqual({ sessions: 2, tokens_used: 3600, cost_usd: 2 });
  expect(session!.children).toMatchObject([
    { title: "Look at the roof", status: "completed", participants: ["reviewer"], tokens_used: 550 },
  ]);
  const { frontmatter, phases } = await repo.show(session!.session_id);
  const child = session!.children[0]!.session_id;
  expect(frontmatter).toMatchObject({
    tokens_used: 3050,
    subagents: [{ session: child, agent: "reviewer", tokens: 550 }],
  });
  expect(phases[0]!.entries.filter(({ kind }) => kind === "subagent")).toEqual([
    {
      kind: "subagent",
      agent: "reviewer",
      mode: "link",
      session: child,
      tokens: 550,
      summary: "It leaks at the top.",
    },
  ]);
  // What the subagent did and said stands in its own session.
  const words = JSON.stringify(phases);
  expect([words.includes("ls roof"), words.includes('"It leaks."')]).toEqual([false, false]);
  const inner = await repo.show(child);
  expect(inner.frontmatter).toMatchObject({ parent: session!.session_id, bead, status: "completed" });
  expect(inner.phases[0]!.entries.map(({ kind }) => kind)).toEqual([
    "tool",
    "tokens",
    "text",
    "tokens",
    "task_complete",
  ]);
  expect(await groupsBy(repo, "engine")).toEqual({ claude: [3600, 2] });
  expect(await groupsBy(repo, "agent")).toMatchObject({ reviewer: [550, null], claude: [3050, 2] });
  await expectWhole(repo, 3600, 2);
});

test("W9 S5 a subagent of a talk is a callout inside where the setting says so", async () => {
  using repo = await WorkRepo.with();
  repo.configure("engine: scripted\nsubagent_mode: inline\n");
  playClaude(repo, [
    claudeInit,
    said({ id: "m1", blocks: [call("c1", "Task", { subagent_type: "reviewer" })], tokens: [10, 1] }),
    said({ id: "s1", blocks: [text("It leaks.")], tokens: [5, 1], under: "c1" }),
    resultOf("c1", "It leaks."),
    claudeEnd([15, 2], 1, {}),
  ]);
  expect((await repo.run(["ai", "claude", "Look", "--one-shot"])).code).toBe(0);
  const { frontmatter, phases } = await repo.show("latest");
  expect(frontmatter).toMatchObject({ tokens_used: 17, cost_usd: 1 });
  expect(phases[0]!.entries).toContainEqual({
    kind: "subagent",
    agent: "reviewer",
    model: "claude-opus-5-5",
    mode: "inline",
    content: "It leaks.",
    summary: "It leaks.",
    tokens: 6,
  });
});

test("W9 a timeline has past pauses and hard stops with how long they took, compactions, and calls by time", async () => {
  using repo = await WorkRepo.with(
    { say: "I look.", run: "sleep 0.2" },
    { say: "Enough.", usage: { input: 5, output: 5 }, result: later },
  );
  const bead = await repo.bead("Mend the roof");
  expect((await repo.work("task", bead)).code).toBe(4);
  repo.plays({ say: "I try." }, { fail: "the model broke" });
  expect((await repo.work("task", bead)).code).toBe(1);
  playClaude(repo, [
    claudeInit,
    said({ id: "m1", blocks: [call("c1", "Bash", { command: "ls" })], tokens: [10, 1] }),
    resultOf("c1", "tiles"),
    { type: "system", subtype: "compact_boundary", compact_metadata: { trigger: "auto", pre_tokens: 90000 } },
    said({ id: "m2", blocks: [text("Done.")], tokens: [10, 1] }),
    claudeEnd([20, 2], 1, done),
  ]);
  expect((await repo.work("task", bead, "--engine", "claude")).code).toBe(0);
  const { events } = await repo.json<SessionTimeline>("session", "timeline", "latest");
  const kinds = events.map(({ kind }) => kind);
  expect(kinds.filter((kind) => ["call", "paused", "ended", "compacted", "complete", "engine"].includes(kind))).toEqual(
    ["engine", "call", "paused", "engine", "ended", "engine", "call", "compacted", "complete", "ended"],
  );
  const times = events.map(({ at }) => at);
  expect(times.filter((at) => at === null).length).toBeLessThan(4);
  const known = times.flatMap((at) => (at === null ? [] : [Date.parse(at)]));
  expect(known).toEqual(known.toSorted((a, b) => a - b));
  const sleep = events.find(({ kind }) => kind === "call")!;
  expect(sleep).toMatchObject({ text: "Bash sleep 0.2" });
  expect(sleep.duration_ms).toBeGreaterThan(100);
  for (const kind of ["paused", "ended"] as const)
    expect(events.find((each) => each.kind === kind)!.duration_ms).toBeGreaterThan(0);
  expect(events.find(({ kind }) => kind === "ended")).toMatchObject({ failed: true });
  // What is done stands behind the rounds that led to it.
  expect(kinds.lastIndexOf("breadcrumb")).toBeLessThan(kinds.indexOf("complete"));
  expect(events.find(({ kind }) => kind === "compacted")!.text).toContain("auto, 90000 tokens before");
});

test("W9 S4 what Clew says of a stop is a remark, and no word of the agent", async () => {
  using repo = await WorkRepo.with({ say: "Half.", result: later });
  const bead = await repo.bead("Mend the roof");
  expect((await repo.work("task", bead)).code).toBe(4);
  const { phases } = await repo.show("latest");
  const entries = phases.flatMap((phase) => phase.entries);
  expect(entries.flatMap((each) => (each.kind === "text" ? [each.text] : []))).toEqual(["Half."]);
  expect(entries.flatMap((each) => (each.kind === "remark" ? [each.text] : []))).toEqual(["Stopped: Later."]);
  const { session_id: id } = (await repo.sessions())[0]!;
  const file = readFileSync(join(repo.root, ".clew/sessions", id, "session.md"), "utf8");
  expect(file).toContain("> [!remark]\n> Stopped: Later.\n");
});

test("W9 tokens of a work session are told while its agent works", async () => {
  using repo = await WorkRepo.with(
    { run: "echo one", usage: { input: 70, output: 7 } },
    {
      run: `'${process.execPath}' '${program}' session list --json > seen.json`,
      usage: { input: 1, output: 0 },
      result: done,
    },
  );
  const bead = await repo.bead("Mend the roof");
  expect((await repo.work("task", bead)).code).toBe(0);
  const seen = JSON.parse(readFileSync(join(repo.root, "seen.json"), "utf8")) as {
    sessions: { tokens_used: number }[];
  };
  expect(seen.sessions).toMatchObject([{ tokens_used: 77 }]);
});

test("W5 W9 S5 after kill -9 subagents, tokens and cost stand there once, and breadcrumbs have the times of the transcript", async () => {
  using repo = await WorkRepo.with();
  const bead = await repo.bead("Mend the roof");
  const at = (line: object, second: number): object => ({ ...line, timestamp: `2026-11-01T10:00:0${second}.000Z` });
  const task = { subagent_type: "reviewer", description: "Look at the roof" };
  const lines = [
    claudeInit,
    at(said({ id: "m1", blocks: [text("I ask."), call("c1", "Task", task)], tokens: [1000, 10] }), 1),
    at(said({ id: "s1", blocks: [text("It leaks.")], tokens: [200, 20], under: "c1" }), 2),
    at(resultOf("c1", "It leaks at the top."), 3),
    at(said({ id: "m2", blocks: [text("Again."), call("c2", "Task", task)], tokens: [50, 5] }), 4),
    at(said({ id: "s2", blocks: [text("I begin.")], tokens: [30, 3], under: "c2" }), 5),
  ];
  playClaude(repo, lines, "exec sleep 300");
  const driver = repo.start(["work", "task", bead, "--engine", "claude"]);
  const ended = new Promise((over) => driver.on("exit", over));
  // At once when all of it is printed: how much of it is written by then is another each time.
  await until(() => transcripts(repo).includes("I begin."), 5);
  driver.kill("SIGKILL");
  await ended;
  const [session] = (await repo.json<{ sessions: SessionNode[] }>("session", "tree")).sessions;
  expect(session).toMatchObject({ status: "paused", tokens_used: 1065 });
  expect(session!.children.map(({ status, tokens_used }) => [status, tokens_used])).toEqual([
    ["completed", 220],
    ["abandoned", 33],
  ]);
  const { phases, breadcrumbs = [] } = await repo.show(session!.session_id);
  const entries = phases.flatMap((phase) => phase.entries);
  expect(entries.flatMap((each) => (each.kind === "subagent" ? [each.summary] : []))).toEqual([
    "It leaks at the top.",
    "abandoned",
  ]);
  expect(entries.flatMap((each) => (each.kind === "text" ? [each.text] : []))).toEqual(["I ask.", "Again."]);
  for (const { timestamp, kind } of breadcrumbs.slice(-2))
    expect([kind, timestamp.slice(0, 10)]).toEqual(["round", "2026-11-01"]);
  const cost = session!.total.cost_usd!;
  expect(cost).toBeGreaterThan(0);
  await expectWhole(repo, 1318, cost);
  // Nothing is counted again by the next look.
  expect((await repo.json<{ sessions: SessionNode[] }>("session", "tree")).sessions[0]!.total).toEqual(session!.total);
});

test("W9 what a session cost before entries told it stays, and belongs to the engine that it had", async () => {
  using repo = await WorkRepo.with({ say: "More.", usage: { input: 10, output: 0, cost_usd: 0.5 } });
  const id = "2026-11-01-an-old-talk";
  const engine_sessions = [{ engine: "claude", session: "s-1" }];
  const started = "2026-11-01T10:00:00.000Z";
  repo.place(id, { started, status: "paused", kind: "chat", tokens_used: 90, cost_usd: 3, engine_sessions });
  expect((await repo.run(["session", "resume", id, "-m", "Go on", "--engine", "scripted"])).code).toBe(0);
  const { frontmatter } = await repo.show(id);
  expect(frontmatter.cost_usd).toBe(3.5);
  expect(await groupsBy(repo, "engine")).toMatchObject({ scripted: [10, 0.5], claude: [0, 3] });
});

test("W9 money and counts have one form", async () => {
  using repo = await WorkRepo.with({ say: "Yes.", usage: { input: 12_000, output: 345, cost_usd: 1.5 } });
  const { stderr } = await repo.run(["ai", "scripted", "Well?", "--one-shot"]);
  expect(stderr).toContain("12,345 tokens · $1.50");
  const shown = await repo.clew("session", "show", "latest");
  expect(shown).toMatch(/^tokens +12,345$/m);
  expect(shown).toMatch(/^cost +\$1\.50$/m);
});
