import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { SessionStats, StatsGroup } from "../../src/contract/api/session-list.ts";
import type { ExportedSession, SessionNode, SessionTimeline } from "../../src/contract/api/session-report.ts";
import { MergeRepo } from "../support/merge-repo.ts";
import { Repo } from "../support/repo.ts";

const started = "2026-11-01T10:00:00.000Z";
const ended = "2026-11-01T10:30:00.000Z";

/** A parent, two subagents, one of them with one of its own, and two others. */
function fill(repo: Repo): void {
  const place = (id: string, fields: object): void =>
    repo.place(id, { started, ended, status: "completed", participants: ["coder@1"], ...fields });
  place("2026-11-01-parent", { tokens_used: 100, cost_usd: 1, bead: "proj-1", branch: "main" });
  place("2026-11-01-child-a", {
    tokens_used: 20,
    cost_usd: 0.2,
    parent: "2026-11-01-parent",
    bead: "proj-1",
    branch: "main",
  });
  place("2026-11-01-child-b", { tokens_used: 30, parent: "2026-11-01-parent", branch: "main", status: "failed" });
  place("2026-11-01-grandchild", { tokens_used: 7, cost_usd: 0.07, parent: "2026-11-01-child-b", branch: "other" });
  place("2026-11-01-loop", { tokens_used: 1, parent: "2026-11-01-loop" });
  place("2026-11-01-alone", {
    bead: "proj-2",
    cost_usd: 3,
    engine_sessions: [{ engine: "claude" }, { engine: "codex" }],
  });
}

test("W9 a tree has the sessions of subagents, each once, with what they used in all", async () => {
  using repo = new Repo();
  fill(repo);
  const { sessions } = await repo.json<{ sessions: SessionNode[] }>("session", "tree", "2026-11-01-parent");
  const names = ({ session_id, children }: SessionNode): unknown => [session_id.slice(11), children.map(names)];
  expect(sessions.map(names)).toEqual([
    [
      "parent",
      [
        ["child-a", []],
        ["child-b", [["grandchild", []]]],
      ],
    ],
  ]);
  expect(sessions[0]).toMatchObject({ tokens_used: 100, total: { sessions: 4, tokens_used: 157, cost_usd: 1.27 } });
  const all = await repo.json<{ sessions: SessionNode[] }>("session", "tree");
  expect(all.sessions.map(names)).toEqual(sessions.map(names));
  const loop = await repo.json<{ sessions: SessionNode[] }>("session", "tree", "2026-11-01-loop");
  expect(loop.sessions[0]).toMatchObject({ total: { sessions: 1, tokens_used: 1 }, children: [] });
  const text = await repo.clew("session", "tree", "2026-11-01-parent");
  expect(text).toMatch(/^SESSION +STATUS +TOKENS +COST/);
  expect(text).toMatch(/├─ 2026-11-01-child-a +completed +20 +\$0\.20/);
  expect(text).toMatch(/└─ 2026-11-01-child-b +failed +30/);
  expect(text).toMatch(/ {3}└─ 2026-11-01-grandchild/);
  expect(text).toMatch(/4 sessions +157 +\$1\.27$/);
  expect(await repo.clew("session", "stats", "2026-11-01-parent", "--tree")).toBe(text);
});

test("W9 stats of one session have its engines and children, which add up", async () => {
  using repo = new Repo();
  fill(repo);
  const stats = await repo.json<SessionStats>("session", "stats", "2026-11-01-parent");
  expect(stats.children.map(({ session_id, depth }) => [session_id.slice(11), depth])).toEqual([
    ["child-a", 1],
    ["child-b", 1],
    ["grandchild", 2],
  ]);
  const sum = stats.children.reduce((tokens, child) => tokens + (child.tokens_used ?? 0), stats.tokens_used!);
  expect(stats.total).toEqual({ sessions: 4, tokens_used: sum, cost_usd: 1.27 });
  expect(stats.engines).toEqual([]);
  const alone = await repo.json<SessionStats>("session", "stats", "2026-11-01-alone");
  expect(alone.engines).toEqual([
    { engine: "claude", rounds: 0, tokens_used: null, cost_usd: null },
    { engine: "codex", rounds: 0, tokens_used: null, cost_usd: null },
    { engine: null, rounds: 0, tokens_used: null, cost_usd: 3 },
  ]);
});

const groupings = ["agent", "channel", "status", "engine", "bead", "branch", "merge"];

async function groupsBy(repo: Repo, by: string): Promise<StatsGroup[]> {
  return (await repo.json<{ groups: StatsGroup[] }>("session", "stats", "--by", by)).groups;
}
const total = (groups: StatsGroup[], of: "tokens_used" | "cost_usd"): number =>
  Math.round(groups.reduce((sum, group) => sum + (group[of] ?? 0), 0) * 1e6) / 1e6;

test.for(groupings)("W9 S11 by %s all groups make up the whole", async (by) => {
  using repo = new Repo();
  fill(repo);
  const groups = await groupsBy(repo, by);
  expect(total(groups, "tokens_used")).toBe(158);
  expect(total(groups, "cost_usd")).toBe(4.27);
});

test("W9 cost by bead and branch, with bars where they are asked for", async () => {
  using repo = new Repo();
  fill(repo);
  const costs = (groups: StatsGroup[]) => Object.fromEntries(groups.map(({ key, cost_usd }) => [key, cost_usd]));
  expect(costs(await groupsBy(repo, "bead"))).toEqual({ "proj-1": 1.2, "proj-2": 3, "(none)": 0.07 });
  expect(costs(await groupsBy(repo, "branch"))).toEqual({ main: 1.2, other: 0.07, "(none)": 3 });
  expect(costs(await groupsBy(repo, "merge"))).toEqual({ "(not merged)": 4.27 });
  const chart = await repo.clew("session", "stats", "--by", "bead", "--chart");
  expect(chart).toMatch(/proj-2 .*\$3\.00 +████████████████ /);
  expect(chart).toMatch(/proj-1 .*\$1\.20 +██████▍ /);
  expect(await repo.clew("session", "stats", "--by", "bead")).not.toContain("█");
  expect(await repo.refused(["session", "stats", "--tree"])).toMatchObject({ code: "usage" });
});

test("W9 merged work has what failed on the way there, too", async () => {
  using repo = new MergeRepo("test -e ../../good && echo new > made.txt", { review: false });
  expect((await repo.clewRun("start")).code).toBe(3);
  expect((await repo.clewRun("cancel")).code).toBe(0);
  expect((await groupsBy(repo, "merge")).map(({ key, sessions }) => [key, sessions])).toEqual([["(not merged)", 1]]);
  repo.put("good", "");
  expect((await repo.clewRun("start")).code).toBe(0);
  expect((await groupsBy(repo, "merge")).map(({ key, sessions }) => [key, sessions])).toEqual([["proj-1", 2]]);
  const { sessions } = await repo.json<{ sessions: { session_id: string }[] }>("session", "list", "--kind", "run");
  const { frontmatter } = await repo.show(sessions[0]!.session_id);
  expect(frontmatter.merged).toBe(repo.git("rev-parse", "main").trim());
});

test("W9 a subagent's session counts for the bead of its parent", async () => {
  using repo = new Repo();
  const place = { status: "active", participants: ["coder@1"], tokens_used: 5, bead: "proj-1", branch: "main" };
  repo.place("2026-11-01-parent", { started, ...place });
  const log = ["session", "log", "subagent", "--agent", "reviewer", "--mode", "link", "-s", "2026-11-01-parent"];
  await repo.clew(...log);
  await repo.clew(...log, "--summary", "Fine.", "--tokens", "7");
  expect(await groupsBy(repo, "bead")).toEqual([
    expect.objectContaining({ key: "proj-1", sessions: 2, tokens_used: 12 }),
  ]);
});

async function worked(repo: Repo): Promise<string> {
  const { session_id: id } = await repo.json<{ session_id: string }>("session", "start", "Mend <b>the</b> roof");
  const log = (...words: string[]): Promise<string> => repo.clew("session", "log", ...words, "-s", id);
  await log("phase", "Look", "--agent", "coder@1");
  await log("tool", "Bash", "--args", "echo '</pre><script>alert(1)</script>'", "--failed", "--result", "no | no");
  await log("decision", "Slate [x](http://evil.example) <img src=x onerror=alert(1)>");
  await repo.run(["session", "log", "tasks", "-", "-s", id], {
    input: '[{"id":"1","content":"Nail it","status":"pending"}]',
  });
  await repo.run(["session", "log", "tasks", "-", "-s", id], {
    input: '[{"id":"1","content":"Nail it","status":"completed"}]',
  });
  await repo.clew("session", "breadcrumb", "add", "--cookie", id, "--kind", "gate", "--text", "The tests are green");
  await log("phase", "Mend");
  await log("error", "it rains");
  await repo.clew("session", "pause", id);
  return id;
}

test("W9 a timeline has phases, calls, breadcrumbs, tasks, errors and pauses, by time", async () => {
  using repo = new Repo();
  const id = await worked(repo);
  const { events } = await repo.json<SessionTimeline>("session", "timeline", id);
  expect(events.map(({ kind, text }) => [kind, text.split(" ")[0]])).toEqual([
    ["started", "Mend"],
    ["phase", "Look"],
    ["call", "Bash"],
    ["decision", "Slate"],
    ["task", "Nail"],
    ["task", "Nail"],
    ["breadcrumb", "The"],
    ["phase", "Mend"],
    ["error", "it"],
    ["paused", "paused,"],
  ]);
  expect(events.filter(({ failed }) => failed).map(({ kind }) => kind)).toEqual(["call", "error"]);
  expect(events[5]!.text).toBe("Nail it: pending → completed");
  const times = events.flatMap(({ at }) => at ?? []);
  expect(times).toEqual(times.toSorted((a, b) => Date.parse(a) - Date.parse(b)));
  expect(await repo.clew("session", "timeline", id)).toMatch(/ gate +The tests are green\n.* phase +Mend @coder@1\n/);
});

test("W9 an export as JSON has all that show has, with timeline and stats", async () => {
  using repo = new Repo();
  const id = await worked(repo);
  const { sessions } = await repo.json<{ sessions: ExportedSession[] }>("session", "export", id);
  const { timeline, stats, ...document } = sessions[0]!;
  expect(document).toEqual(await repo.json("session", "show", id));
  expect(document.breadcrumbs).toHaveLength(1);
  expect(timeline).toEqual((await repo.json<SessionTimeline>("session", "timeline", id)).events);
  expect(stats).toEqual(await repo.json("session", "stats", id));
});

test("W9 an exported page asks for nothing else, and nothing in it that was logged is markup", async () => {
  using repo = new Repo();
  const id = await worked(repo);
  expect(await repo.clew("session", "export", id, "--format", "html", "-o", "page.html")).toBe("Wrote page.html");
  const page = readFileSync(join(repo.root, "page.html"), "utf8");
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).toContain("default-src 'none'");
  expect(page).toContain("prefers-color-scheme:dark");
  expect(page).toContain("Mend &lt;b&gt;the&lt;/b&gt; roof");
  expect(page).not.toMatch(/<[^>]*(?:src=|href=|\son[a-z]+=)|url\(|@import/);
  expect(page).toContain("<pre>echo &#39;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;</pre>");
  const tags = new Set([...page.matchAll(/<([a-z0-9]+)/g)].map((found) => found[1]));
  expect([...tags].filter((tag) => ["script", "img", "link", "iframe", "a", "form"].includes(tag!))).toEqual([]);
  // A file that is there stays.
  expect(await repo.refused(["session", "export", id, "-o", "page.html"])).toMatchObject({ code: "invalid_input" });
});

test("W9 exported Markdown has phases, figures and the timeline, and no markup that was logged", async () => {
  using repo = new Repo();
  const id = await worked(repo);
  const text = await repo.clew("session", "export", id, "--format", "markdown");
  expect(text).toMatch(/^# Mend \\<b\\>the\\<\/b\\> roof\n/);
  expect(text).toContain("## Look @coder\\@1");
  expect(text).toContain("## Timeline");
  const outsideCode = text.replace(/`[^`\n]*`/g, "");
  expect(outsideCode).not.toMatch(/(?<!\\)<(?:script|img|b>)/);
  expect(outsideCode).not.toMatch(/(?<!\\)\]\(http/);
  const two = await repo.clew("session", "export", id, id, "--format", "markdown");
  expect(two.match(/^# /gm)).toHaveLength(2);
});

test("W9 no text that was logged is cut in exported Markdown, however long it is", async () => {
  using repo = new Repo();
  const id = await repo.clew("session", "start", "Long");
  const long = (word: string): string => `${word} ${"and so on, ".repeat(400)}${word}`;
  const kinds = ["text", "decision", "task_complete"] as const;
  for (const kind of kinds) await repo.clew("session", "log", kind, long(kind), "-s", id);
  const text = await repo.clew("session", "export", id, "--format", "markdown");
  for (const kind of kinds) expect([kind, text.includes(long(kind))]).toEqual([kind, true]);
});

test("W5 W9 rounds of a work session stand in its timeline, and its engine's share is the whole", async () => {
  using repo = new Repo();
  repo.git("commit", "-q", "--allow-empty", "-m", "first");
  const turns = [
    { say: "I look.", write: { path: "made.txt", content: "x" }, usage: { input: 900, output: 30 } },
    { say: "Done.", usage: { input: 1000, output: 10 }, result: { success: true, summary: "made it" } },
  ];
  writeFileSync(join(repo.root, "script.json"), JSON.stringify({ turns }));
  const { bead } = await repo.json<{ bead: { id: string } }>("bead", "create", "Mend the roof");
  const env = { CLEW_SCRIPT: join(repo.root, "script.json") };
  expect((await repo.run(["work", "task", bead.id, "--engine", "scripted"], { env })).code).toBe(0);
  const { events } = await repo.json<SessionTimeline>("session", "timeline", "latest");
  const rounds = events.filter(({ breadcrumb }) => breadcrumb === "round");
  expect(rounds.map(({ text, tokens }) => [text, tokens])).toEqual([
    ["I look.", 930],
    ["Done.", 1010],
  ]);
  expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["engine", "task", "call", "ended"]));
  const stats = await repo.json<SessionStats>("session", "stats", "latest");
  expect(stats.engines).toEqual([{ engine: "scripted", rounds: 2, tokens_used: 1940, cost_usd: null }]);
  expect(await groupsBy(repo, "bead")).toEqual([expect.objectContaining({ key: bead.id, tokens_used: 1940 })]);
});
