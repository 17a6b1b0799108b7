import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { Breadcrumb } from "../../src/contract/breadcrumb.ts";
import type { SessionStats } from "../../src/contract/api/session-list.ts";
import type { SessionTimeline } from "../../src/contract/api/session-report.ts";
import { call, claudeEnd, claudeInit, playClaude, resultOf, said, text } from "../support/stream-engine.ts";
import { WorkRepo } from "../support/work-repo.ts";

const mended = { success: true, summary: "Mended it." };

/** Lines that come one after the other, with a little time between them; then the stand-in waits until it is told no more. */
function slowly(...lines: object[]): string {
  const prints = lines.map((line) => `sleep 0.05\necho '${JSON.stringify(line)}'`);
  return [...prints, "exec cat > /dev/null"].join("\n");
}

/** Works on a bead with a stand-in for Claude Code that prints these lines. */
async function worked(mode: string, ...lines: object[]) {
  const repo = await WorkRepo.with();
  repo.configure(`engine: claude\nsubagent_mode: ${mode}\n`);
  const bead = await repo.bead("Mend the roof");
  playClaude(repo, [claudeInit], slowly(...lines));
  const { code, end } = await repo.work("task", bead);
  expect([code, end]).toMatchObject([0, { status: "completed" }]);
  return { repo, bead, id: String(end["session_id"]) };
}

const breadcrumbsOf = async (repo: WorkRepo, id: string): Promise<Breadcrumb[]> =>
  (await repo.json<{ breadcrumbs: Breadcrumb[] }>("session", "breadcrumbs", id)).breadcrumbs;

test("W5 a message's second call belongs to its round, though the first has its result by then", async () => {
  const { id, ...work } = await worked(
    "link",
    said({ id: "m1", blocks: [call("c1", "Read", { file_path: "a.ts" })], tokens: [10, 1] }),
    resultOf("c1", "one"),
    said({ id: "m1", blocks: [call("c2", "Read", { file_path: "b.ts" })], tokens: [10, 1] }),
    resultOf("c2", "two"),
    said({ id: "m2", blocks: [text("Both are read.")], tokens: [20, 1] }),
    claudeEnd([30, 2], 1, mended),
  );
  using repo = work.repo;
  const rounds = await breadcrumbsOf(repo, id);
  expect(rounds.map(({ response, tools_called = [] }) => [response, tools_called.map(({ about }) => about)])).toEqual([
    [undefined, ["a.ts", "b.ts"]],
    ["Both are read.", []],
  ]);
});

test("W9 what a result does not tell of its tokens, its messages do", async () => {
  const {
    usage: _,
    modelUsage: __,
    total_cost_usd: ___,
    ...silent
  } = claudeEnd([0, 0], 0, mended) as Record<string, unknown>;
  const { id, ...work } = await worked(
    "link",
    said({ id: "m1", blocks: [text("I look.")], tokens: [60, 10] }),
    said({ id: "m2", blocks: [text("Done.")], tokens: [20, 5] }),
    silent,
  );
  using repo = work.repo;
  expect((await repo.show(id)).frontmatter.tokens_used).toBe(95);
});

const task = { subagent_type: "reviewer", description: "Look at the roof" };
const small = (line: object): object =>
  JSON.parse(JSON.stringify(line).replaceAll("claude-opus-5-5", "claude-haiku-4-5")) as object;
const withSubagent = [
  said({ id: "m1", blocks: [text("I ask."), call("c1", "Task", task)], tokens: [60, 10] }),
  small(said({ id: "s1", blocks: [call("c2", "Bash", { command: "ls roof" })], tokens: [20, 5], under: "c1" })),
  resultOf("c2", "tiles", "c1"),
  small(said({ id: "s2", blocks: [text("It leaks.")], tokens: [10, 5], under: "c1" })),
  resultOf("c1", "It leaks at the top."),
  said({ id: "m2", blocks: [text("I see.")], tokens: [15, 5] }),
  claudeEnd([105, 25], 1, mended),
];

test("W5 W9 a live subagent's model is known, and its own timeline has its rounds and the times of its calls", async () => {
  const { id, ...work } = await worked("link", ...withSubagent);
  using repo = work.repo;
  const models = (await breadcrumbsOf(repo, id)).map(({ depth, model, call: by }) => [depth, model, by]);
  expect(models.toSorted(([a], [b]) => Number(a) - Number(b))).toEqual([
    [0, "claude-opus-5-5", undefined],
    [0, "claude-opus-5-5", undefined],
    [1, "claude-haiku-4-5", "c1"],
    [1, "claude-haiku-4-5", "c1"],
  ]);
  const stats = await repo.json<SessionStats>("session", "stats", id);
  const child = stats.children[0]!.session_id;
  expect((await repo.show(child)).frontmatter.model).toBe("claude-haiku-4-5");
  const { events } = await repo.json<SessionTimeline>("session", "timeline", child);
  expect(events.map(({ kind }) => kind)).toEqual([
    "started",
    "phase",
    "engine",
    "task",
    "breadcrumb",
    "call",
    "breadcrumb",
    "complete",
    "ended",
  ]);
  const ls = events.find(({ kind }) => kind === "call")!;
  expect([ls.at, ls.text]).toEqual([expect.any(String), "Bash ls roof"]);
  expect(ls.duration_ms).toBeGreaterThan(0);
});

test("W9 S12 a list has the session of a subagent below that of its agent, and names it as such; the latest is the agent's", async () => {
  const { id, ...work } = await worked("link", ...withSubagent);
  using repo = work.repo;
  const { session_id: other } = await repo.json<{ session_id: string }>("session", "start", "Another");
  await repo.clew("session", "end", other);
  const list = await repo.clew("session", "list", "--kind", "work");
  const ids = list.split("\n").slice(1);
  const child = (await repo.json<SessionStats>("session", "stats", id)).children[0]!.session_id;
  expect(ids.map((line) => line.slice(0, line.indexOf(" completed")).trimEnd())).toEqual([other, id, `└─ ${child}`]);
  const { sessions } = await repo.json<{ sessions: { session_id: string; parent?: string }[] }>("session", "list");
  expect(sessions.map(({ session_id, parent }) => [session_id, parent])).toEqual([
    [other, undefined],
    [child, id],
    [id, undefined],
  ]);
  await repo.clew("session", "delete", other, "--yes");
  expect(await repo.json("session", "stats", "latest")).toMatchObject({ session_id: id });
});

test.each(["link", "inline"])("W9 rounds and tokens of stats are those of the same agents: %s", async (mode) => {
  const { id, ...work } = await worked(mode, ...withSubagent);
  using repo = work.repo;
  const { engines, children } = await repo.json<SessionStats>("session", "stats", id);
  const own = mode === "link";
  expect(engines).toEqual([{ engine: "claude", rounds: own ? 2 : 4, tokens_used: own ? 90 : 130, cost_usd: 1 }]);
  expect(children.map(({ tokens_used }) => tokens_used)).toEqual(own ? [40] : []);
  const words = own
    ? "this session alone; subagents with a session of their own count below"
    : "this session with its inline subagents";
  expect(await repo.clew("session", "stats", id)).toContain(`rounds, tokens and cost of ${words}`);
  if (!own) return;
  const inner = await repo.json<SessionStats>("session", "stats", children[0]!.session_id);
  expect(inner.engines).toMatchObject([{ engine: "claude", rounds: 2, tokens_used: 40 }]);
});

test.each(["link", "inline"])(
  "W9 a subagent stands behind the call that started it in the timeline: %s",
  async (mode) => {
    const { id, ...work } = await worked(mode, ...withSubagent);
    using repo = work.repo;
    const { events } = await repo.json<SessionTimeline>("session", "timeline", id);
    const kinds = events.map(({ kind, depth = 0 }) => (kind === "breadcrumb" ? `round ${depth}` : kind));
    const rounds = ["round 1", "round 1"];
    expect(kinds.slice(kinds.indexOf("round 0"))).toEqual([
      "round 0",
      "call",
      ...(mode === "link" ? ["subagent", ...rounds] : [...rounds, "subagent"]),
      "round 0",
      "complete",
      "ended",
    ]);
  },
);

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");
const clew = `'${process.execPath}' '${program}'`;

test("W7 W9 what an agent logs by a call stands behind that call, and before what follows from it: tasks, questions, decisions", async () => {
  using repo = await WorkRepo.with();
  const track = await repo.bead("The release", "-t", "epic");
  const [one, two] = [await repo.bead("One", "--parent", track, "-p", "0"), await repo.bead("Two", "--parent", track)];
  const sync = (summary: string): string =>
    `sleep 0.05; echo '{"success": true, "summary": "${summary}"}' | ${clew} ai sync --cookie "$CLEW_SESSION" --result -`;
  repo.plays(
    { say: "I look.", run: "echo first" },
    { say: "I ask.", run: `sleep 0.05; ${clew} session log decision_needed "Slate or tiles?" -s "$CLEW_SESSION"` },
    { say: "I decide.", run: `sleep 0.05; ${clew} session log decision "Slate." -s "$CLEW_SESSION"` },
    { say: "One is done.", run: sync("Did one.") },
    { say: "Two is done.", run: sync("Did two.") },
    { say: "All done.", result: mended },
  );
  const { end } = await repo.work("track", track);
  expect(end).toMatchObject({ status: "completed", done: [one, two] });
  const { events } = await repo.json<SessionTimeline>("session", "timeline", String(end["session_id"]));
  const told = events.map(({ kind, text: words }) =>
    kind === "breadcrumb" ? words : `${kind} ${words.split(/[ :]/)[0]}`,
  );
  expect(told.filter((each) => !/^(engine|started|task) /.test(each))).toEqual([
    "phase One",
    "I look.",
    "call Bash",
    "I ask.",
    "call Bash",
    "question Slate",
    "I decide.",
    "call Bash",
    "decision Slate.",
    "One is done.",
    "call Bash",
    `complete ${one}`,
    "phase Two",
    "Two is done.",
    "call Bash",
    `complete ${two}`,
    "All done.",
    "ended completed",
  ]);
});
