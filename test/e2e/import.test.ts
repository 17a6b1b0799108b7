import { execFileSync } from "node:child_process";
import { on } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Folder } from "../support/folders.ts";
import { outcomeOf } from "../support/repo.ts";
import { ClaudeLines, ImportRepo, type Imported } from "../support/transcripts.ts";

const claudeId = "81b1b614-e07b-4d06-88d0-bc90f559f5bb";

test("W12 a transcript of Claude Code becomes a session: phases, calls, words, compactions, tokens and cost", async () => {
  using repo = new ImportRepo();
  repo.leave(repo.claudePath(`${claudeId}.jsonl`), repo.fixture("claude"));
  const { skipped, sessions, ...counts } = await repo.import();
  expect({ ...counts, skipped }).toEqual({ imported: 1, continued: 0, unchanged: 0, skipped: [] });
  expect(sessions).toEqual(["2026-11-15-first-message-please"]);
  const { frontmatter, phases } = await repo.show(sessions[0]!);
  expect(frontmatter).toMatchObject({
    title: "first message please",
    kind: "import",
    status: "completed",
    started: "2026-11-15T21:14:07.354Z",
    participants: ["claude"],
    model: "claude-opus-5-5",
    tokens_used: 5050,
    branch: "master",
  });
  expect(frontmatter.engine_sessions).toEqual([
    {
      engine: "claude",
      session: claudeId,
      folder: repo.root,
      bytes: expect.any(Number) as number,
      mark: expect.stringMatching(/^m-/) as string,
      until: expect.stringMatching(/^2026-11-15T/) as string,
    },
  ]);
  expect(phases.map(({ title, agent, channel }) => [title, agent, channel])).toEqual([
    ["first message please", "claude", "dev"],
  ]);
  expect(phases[0]!.entries).toMatchObject([
    { kind: "user", text: "first message please" },
    { kind: "text", text: "Let me check." },
    { kind: "tool", name: "Bash", args: "echo one", result: "one", failed: false },
    { kind: "remark", about: "compacted", text: "The conversation was compacted here (manual, 120 tokens before)." },
    { kind: "tokens", tokens: 5050, model: "claude-opus-5-5" },
  ]);
});

test("W12 importing again changes nothing; a transcript that grew is continued, and a call gets its late result", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const file = repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Fix the login\nsoon"),
    lines.agent("m-1", { type: "text", text: "I look." }),
    lines.call("m-1", "c-1", "Bash", { command: "npm test" }),
  ]);
  expect(await repo.import()).toMatchObject({ imported: 1, sessions: ["2026-11-15-fix-the-login"] });
  const path = join(repo.root, ".clew/sessions/2026-11-15-fix-the-login/session.md");
  const before = readFileSync(path, "utf8");
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 1, sessions: [] });
  expect(readFileSync(path, "utf8")).toBe(before);

  repo.append(file, `${lines.result("c-1", "2 of 40 failing", true)}\n${lines.user("And now?")}\n`);
  repo.append(
    file,
    `${lines.agent("m-2", { type: "text", text: "All pass." })}\n${lines.agent("m-3", {}).slice(0, 50)}`,
  );
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 1, unchanged: 0, skipped: [] });
  const { frontmatter, phases } = await repo.show("2026-11-15-fix-the-login");
  expect(phases.map(({ title, entries }) => [title, entries])).toMatchObject([
    [
      "Fix the login",
      [
        { kind: "user", text: "Fix the login\nsoon" },
        { kind: "text", text: "I look." },
        { kind: "tool", name: "Bash", args: "npm test", result: "2 of 40 failing", failed: true },
        { kind: "tokens", tokens: 110 },
      ],
    ],
    ["And now?", [{ kind: "user" }, { kind: "text", text: "All pass." }, { kind: "tokens", tokens: 110 }]],
  ]);
  expect(frontmatter).toMatchObject({ tokens_used: 220, cost_usd: 0.0009 });
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 1 });
});

test("W12 S5 a subagent is a session of its own, named once where its call stands; tokens count once", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-2");
  const [meta, ...agentLines] = repo.fixture("claude.subagent");
  const call = "toolu_61a66d02a7a0459d9370c5f5";
  const file = repo.leave(repo.claudePath("s-2.jsonl"), [
    lines.user("Delegate it"),
    lines.call("m-1", call, "Agent", { description: "sub job", prompt: "SUBPROMPT do it" }),
    lines.result(call, "sub finished"),
  ]);
  const subagentFile = repo.leave(repo.claudePath("s-2/subagents/agent-ae393ecc5b367850c.jsonl"), agentLines);
  repo.leave(repo.claudePath("s-2/subagents/agent-ae393ecc5b367850c.meta.json"), [meta!]);
  const { imported, sessions } = await repo.import();
  expect([imported, sessions.toSorted()]).toEqual([2, ["2026-11-15-delegate-it", "2026-11-16-sub-job"]]);
  const { frontmatter, phases } = await repo.show("2026-11-15-delegate-it");
  expect(phases[0]!.entries).toMatchObject([
    { kind: "user" },
    { kind: "tool", name: "Agent" },
    {
      kind: "subagent",
      agent: "general-purpose",
      mode: "link",
      session: "2026-11-16-sub-job",
      tokens: 4040,
      summary: "sub finished",
    },
    { kind: "tokens", tokens: 110 },
  ]);
  expect(frontmatter).toMatchObject({ tokens_used: 110, subagents: [{ session: "2026-11-16-sub-job", tokens: 4040 }] });
  const child = await repo.show("2026-11-16-sub-job");
  expect(child.frontmatter).toMatchObject({ parent: "2026-11-15-delegate-it", kind: "import", tokens_used: 4040 });

  repo.append(file, `${lines.user("More")}\n`);
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 1, unchanged: 1 });
  const { phases: later } = await repo.show("2026-11-15-delegate-it");
  expect(later.flatMap(({ entries }) => entries).filter(({ kind }) => kind === "subagent")).toHaveLength(1);

  // A subagent that goes on: its agent's session has the new count, and its own words as they were.
  const message = { id: "msg_more", model: "claude-opus-5-5", usage: { input_tokens: 500, output_tokens: 5 } };
  const more = { ...(JSON.parse(agentLines.at(-1)!) as object), uuid: "more", message: { ...message, content: [] } };
  repo.append(subagentFile, `${JSON.stringify(more)}\n`);
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 1, unchanged: 1 });
  const grown = await repo.show("2026-11-15-delegate-it");
  expect(grown.frontmatter.subagents).toMatchObject([{ session: "2026-11-16-sub-job", tokens: 4545 }]);
  expect(grown.phases[0]!.entries).toContainEqual(
    expect.objectContaining({ kind: "subagent", tokens: 4545, summary: "sub finished" }),
  );
});

test("W12 only what belongs to this repository is imported: its worktrees and folders, not what lies elsewhere or inside as another's", async () => {
  using repo = new ImportRepo();
  const leave = (name: string, folder: string): void => {
    const lines = new ClaudeLines(folder, name);
    repo.leave(repo.claudePath(`${name}.jsonl`, folder), [lines.user(`Work ${name}`), lines.agent(`m-${name}`, {})]);
  };
  repo.git("commit", "--allow-empty", "-qm", "first");
  using aside = new Folder();
  repo.git("worktree", "add", "-q", join(aside.path, "aside"), "-b", "aside");
  leave("below", join(repo.root, "packages/app"));
  leave("worktree", join(aside.path, "aside"));
  leave("neighbour", `${repo.root}-2`);
  execFileSync("git", ["init", "-q", join(repo.root, "vendor/other")]);
  leave("inner", join(repo.root, "vendor/other"));
  expect((await repo.import("--dry-run")).sessions.toSorted()).toEqual([
    "2026-11-15-work-below",
    "2026-11-15-work-worktree",
  ]);
  expect((await repo.import()).sessions.toSorted()).toEqual(["2026-11-15-work-below", "2026-11-15-work-worktree"]);
  expect((await repo.import("--all-projects")).sessions.toSorted()).toEqual([
    "2026-11-15-work-inner",
    "2026-11-15-work-neighbour",
  ]);
});

test("W12 one engine session belongs to one session: what was deleted stays deleted, what was opened again goes on", async () => {
  using repo = new ImportRepo();
  const one = new ClaudeLines(repo.root, "s-1");
  const two = new ClaudeLines(repo.root, "s-2");
  const files = [
    repo.leave(repo.claudePath("s-1.jsonl"), [one.user("Delete me"), one.agent("m-1", { type: "text", text: "Yes" })]),
    repo.leave(repo.claudePath("s-2.jsonl"), [two.user("Resume me"), two.agent("m-2", { type: "text", text: "Yes" })]),
  ];
  await repo.import();
  await repo.clew("session", "delete", "2026-11-15-delete-me", "--yes");
  await repo.clew("session", "resume", "2026-11-15-resume-me", "--print-context");
  await repo.clew("session", "resume", "2026-11-15-resume-me");
  repo.append(files[0]!, `${one.user("More")}\n`);
  repo.append(files[1]!, `${two.user("More")}\n`);
  // Also when what imports remember is lost.
  for (const name of ["imports.json", "imported-messages"])
    rmSync(join(repo.root, ".git/clew/state", name), { force: true });
  const continued = { imported: 0, continued: 1, sessions: ["2026-11-15-resume-me"], skipped: [] };
  expect(await repo.import("--dry-run")).toMatchObject(continued);
  expect(await repo.import()).toMatchObject(continued);
  expect(await repo.json("session", "list", "--kind", "import")).toMatchObject({
    sessions: [{ session_id: "2026-11-15-resume-me", status: "active" }],
  });
  // What is logged to it, and what the engine adds, stand there once each.
  await repo.clew("session", "log", "decision", "Keep it", "--session", "2026-11-15-resume-me");
  repo.append(files[1]!, `${two.agent("m-3", { type: "text", text: "And more" })}\n`);
  expect(await repo.import()).toMatchObject({ continued: 1 });
  expect(await repo.import()).toMatchObject({ continued: 0, unchanged: 1 });
  const { phases } = await repo.show("2026-11-15-resume-me");
  expect(phases.map(({ entries }) => entries.map((each) => ("text" in each ? each.text : each.kind)))).toEqual([
    ["Resume me", "Yes", "tokens", "The session was completed here, and then went on."],
    ["More", "Keep it", "And more", "tokens"],
  ]);
});

test("W12 a message that a fork or a resumed copy repeats counts once, also when the copy comes later", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const history = [lines.user("Begin"), lines.agent("m-1", { type: "text", text: "One" })];
  const fork = (session: string, id: string): string[] => [
    ...history.map((line) => line.replaceAll('"s-1"', `"${session}"`)),
    new ClaudeLines(repo.root, session).agent(id, { type: "text", text: "Two" }),
  ];
  repo.leave(repo.claudePath("s-1.jsonl"), history);
  repo.leave(repo.claudePath("s-2.jsonl"), fork("s-2", "m-2"));
  await repo.import();
  repo.leave(repo.claudePath("s-3.jsonl"), fork("s-3", "m-3"));
  await repo.import();
  const { groups } = await repo.json<{ groups: { tokens_used: number }[] }>("session", "stats", "--by", "engine");
  expect(groups).toMatchObject([{ key: "claude", sessions: 3, tokens_used: 330 }]);
});

test("W12 git does not see imported sessions before they are shared; they are listed, searched and summed like any other", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("<command-name>/clear</command-name>"),
    lines.user("<system-reminder>be kind</system-reminder>Find the zebra"),
    lines.call("m-1", "c-1", "ExitPlanMode", { plan: "Look in the zoo" }),
    lines.result("c-1", "User has approved your plan"),
    lines.user("[Request interrupted by user]"),
  ]);
  await repo.import();
  const session_id = "2026-11-15-find-the-zebra";
  expect(repo.git("status", "--porcelain", "--untracked-files=all")).not.toContain("sessions/");
  const { phases } = await repo.show(session_id);
  expect(phases[0]!.entries).toMatchObject([
    { kind: "user", text: "Find the zebra" },
    { kind: "tool", name: "ExitPlanMode" },
    { kind: "decision", text: "Look in the zoo" },
    { kind: "user", text: "[Request interrupted by user]" },
    { kind: "tokens" },
  ]);
  expect(await repo.json("session", "list")).toMatchObject({ sessions: [{ session_id, kind: "import" }] });
  expect(await repo.json("search", "zebra")).toMatchObject({ hits: [{ session_id }, { session_id }, { session_id }] });
  expect(await repo.json("session", "share", "latest")).toEqual({ shared: [session_id] });
  expect(repo.git("status", "--porcelain", "--untracked-files=all")).toContain(`sessions/${session_id}/session.md`);
});

test("W12 clew init says what could be imported", async () => {
  using repo = new ImportRepo();
  expect(await repo.clew("init")).not.toContain("import");
  const lines = new ClaudeLines(repo.root, "s-1");
  repo.leave(repo.claudePath("s-1.jsonl"), [lines.user("One")]);
  repo.leave(repo.claudePath("s-1/subagents/agent-1.jsonl"), [lines.user("Sub")]);
  const codex = "01a1e114-8c39-74c0-acd9-98041f776f8b";
  repo.leave(`.codex/sessions/2026/11/15/rollout-2026-11-15T21-19-42-${codex}.jsonl`, repo.fixture("codex"));
  expect(await repo.clew("init")).toContain("2 sessions of Claude Code and Codex in this project: clew session import");
  await repo.import();
  expect(await repo.clew("init")).not.toContain("session import");
});

test("W12 --watch goes on as the engine does, until Ctrl-C", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const file = repo.leave(repo.claudePath("s-1.jsonl"), [lines.user("One"), lines.agent("m-1", {})]);
  const child = repo.start(["session", "import", "--watch", "--json"]);
  const ended = outcomeOf(child);
  const printed = async (count: number): Promise<void> => {
    let text = "";
    for await (const chunk of on(child.stdout!, "data")) {
      text += String(chunk[0]);
      if (text.split("\n").length > count) return;
    }
  };
  await printed(1);
  repo.append(file, `${lines.agent("m-2", { type: "text", text: "Later" })}\n`);
  await printed(1);
  child.kill("SIGINT");
  const { code, stdout } = await ended;
  const results = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Imported);
  expect([code, results.map(({ imported, continued }) => [imported, continued])]).toEqual([
    0,
    [
      [1, 0],
      [0, 1],
    ],
  ]);
});
