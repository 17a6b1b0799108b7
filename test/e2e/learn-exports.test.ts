import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";
import { expect, test } from "vitest";
import type { ExportSummary, LearningCase } from "../../src/contract/api/learn.ts";
import { chatLine, preferenceLine, trajectory } from "../support/export-schemas.ts";
import { call, LearnRepo, said, user } from "../support/learn-repo.ts";
import { textsOf } from "../support/repo.ts";
import { ImportRepo } from "../support/transcripts.ts";

/** What must stay data in every form. */
const hostile = [
  "</pre><script>alert(1)</script> ![x](http://evil.example/x.png) [y](javascript:alert(1))",
  '"""\n[verifier]\ntimeout_sec = 1\n# \\u0000 \u007f',
  "`rm -rf /tmp/x` $(touch /tmp/owned) ${HOME} '; touch /tmp/owned; '",
  '```\n## Not a heading\n> [!user]\n> "not said"\n```\n~~~',
  "\ud83d\ude00 e\u0301 \u202e right to left",
];

async function hostileSession(repo: LearnRepo): Promise<string> {
  return repo.session(
    "Title `x` <b> | # [l](http://evil.example)",
    user(hostile.join("\n")),
    said(hostile[0]!),
    call(hostile[2]!, `it broke: ${hostile.join(" ")}`, true),
    said(hostile[3]!),
    call("src/x.ts", hostile[1]!, false, "Edit"),
    call(hostile[2]!, "fine"),
    user(`No, not so: ${hostile[1]}`),
    said(hostile[2]!),
  );
}

const linesOf = (text: string): unknown[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as unknown);

test("S16 jsonl: puzzles are chat lines, corrections preference lines, and never in one file", async () => {
  using repo = new LearnRepo();
  const id = await hostileSession(repo);
  await repo.session("Open", { kind: "error", text: "The printer is on fire" });
  const out = await repo.clew("session", "learn", "--export", "jsonl", "-o", "cases.jsonl");
  expect(out).toMatch(/^Wrote 2 lines: .*cases\.puzzles\.jsonl, .*cases\.corrections\.jsonl\n/);
  expect(out).toMatch(/ 1 {2}nothing shows what is right/);
  expect(existsSync(join(repo.root, "cases.jsonl"))).toBe(false);
  const puzzles = linesOf(readFileSync(join(repo.root, "cases.puzzles.jsonl"), "utf8"));
  const corrections = linesOf(readFileSync(join(repo.root, "cases.corrections.jsonl"), "utf8"));
  const [puzzle] = puzzles.map((line) => chatLine.parse(line));
  expect(puzzles).toHaveLength(1);
  expect(puzzle!.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  expect(puzzle!.messages[2]).toEqual({
    role: "tool",
    tool_call_id: "call_1",
    content: hostile[1]!.replace("\u007f", "␡"),
  });
  expect(puzzle!.messages.filter(({ role }) => role === "assistant").map(({ content }) => content)).toEqual([
    hostile[3],
    "",
  ]);
  expect(puzzle!.tools!.map(({ function: { name } }) => name)).toEqual(["Bash", "Edit"]);
  expect(puzzle!.messages[0]!.content).toContain(hostile[2]);
  expect(puzzle!.metadata).toMatchObject({
    session: id,
    basis: "passing_run",
    agent: "coder@2",
    tools: ["Bash", "Edit"],
  });
  expect(corrections).toHaveLength(1);
  const [correction] = corrections.map((line) => preferenceLine.parse(line));
  expect(correction!.chosen[0]!.content).toBe(hostile[2]);
  // What tools printed stands in no message of the assistant.
  const rejected = correction!.rejected as { role: string; content: string; tool_calls?: object[] }[];
  expect(rejected.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant", "tool", "assistant"]);
  expect(rejected.find(({ tool_calls }) => tool_calls)!.tool_calls).toMatchObject([
    { function: { name: "Bash", arguments: { command: hostile[2] } } },
  ]);
  // To stdout there is one kind at a time.
  expect(await repo.refused(["session", "learn", "--export", "jsonl", "-o", "cases.jsonl"])).toMatchObject({
    code: "invalid_input",
  });
  expect((await repo.run(["session", "learn", "--export", "jsonl"])).stderr).toContain("--type puzzle");
  const piped = await repo.clew("session", "learn", "--export", "jsonl", "--type", "puzzle");
  expect(`${piped}\n`).toBe(readFileSync(join(repo.root, "cases.puzzles.jsonl"), "utf8"));
});

test("S16 markdown is for people, and nothing that was logged becomes markup", async () => {
  using repo = new LearnRepo();
  await hostileSession(repo);
  const text = await repo.clew("session", "learn", "--export", "markdown");
  const html = micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
  const headings = [...html.matchAll(/<h([1-6])>([^<]*)/g)].map(([, level, title]) => `${level} ${title}`);
  expect(headings.filter((each) => !each.startsWith("2"))).toEqual([
    "1 Cases",
    ...["Context", "Failure", "Expected"].map((each) => `3 ${each}`),
    ...["Before", "What the agent did", "What the user said", "What is right"].map((each) => `3 ${each}`),
  ]);
  expect(html).not.toMatch(/<(?:script|img|a)\b/);
});

test("S16 puzzle: one JSON document of all cases, also of none", async () => {
  using repo = new LearnRepo();
  expect(JSON.parse(await repo.clew("session", "learn", "--export", "puzzle"))).toEqual({ version: 1, cases: [] });
  await hostileSession(repo);
  await repo.clew("session", "learn", "--export", "puzzle", "-o", "cases.json");
  const { cases } = JSON.parse(readFileSync(join(repo.root, "cases.json"), "utf8")) as { cases: LearningCase[] };
  expect(cases).toEqual((await repo.json<{ cases: LearningCase[] }>("session", "learn")).cases);
  expect(readdirSync(repo.root).filter((name) => name.endsWith(".part"))).toEqual([]);
});

test("S16 atif: a session is a valid trajectory with its subagents inside", async () => {
  using repo = new LearnRepo();
  const id = await hostileSession(repo);
  await repo.log(
    id,
    { kind: "tokens", tokens: 120, model: "m-1", cost_usd: 0.5 },
    { kind: "decision", text: "Use tabs" },
    { kind: "subagent", agent: "helper@3", mode: "inline", content: "I looked." },
  );
  await repo.clew("session", "log", "subagent", "--agent", "reviewer@1", "--mode", "link", "-s", id);
  const child = (await repo.show(id)).frontmatter.subagents!.find(({ session }) => session !== undefined)!.session!;
  await repo.clew("session", "log", "text", "I review.", "-s", child);
  await repo.clew(
    "session",
    "log",
    "subagent",
    "--agent",
    "reviewer@1",
    "--mode",
    "link",
    "--summary",
    "Fine.",
    "-s",
    id,
  );
  const summary = await repo.json<ExportSummary>("session", "learn", "--export", "atif", "-o", "runs");
  expect(summary).toMatchObject({ written: 1, left_out: [{ session: child, reason: "other_session_holds_it" }] });
  expect(readdirSync(join(repo.root, "runs"))).toEqual([`${id}.json`]);
  const found = trajectory.parse(JSON.parse(readFileSync(join(repo.root, "runs", `${id}.json`), "utf8")));
  expect(found.subagent_trajectories!.map(({ steps }) => steps.map(({ message }) => message))).toEqual([
    ["I looked."],
    ["I review.", "Fine."],
  ]);
  const calls = found.steps.flatMap(({ tool_calls = [] }) => tool_calls);
  expect(calls.map((each) => each.function_name)).toEqual(["Bash", "Edit", "Bash", "subagent", "subagent"]);
  expect(calls[0]!.arguments).toEqual({ command: hostile[2] });
  expect(found.steps[0]).toMatchObject({ source: "user", message: textsOf(await repo.show(id))[0] });
  expect(() => trajectory.parse({ ...found, unknown: 1 })).toThrow("unknown");
});

test("S16 W12 atif of imported sessions is valid for each engine", async () => {
  using repo = new ImportRepo();
  repo.leave(repo.claudePath("a.jsonl"), repo.fixture("claude"));
  await repo.import();
  const lines = linesOf(await repo.clew("session", "learn", "--export", "atif"));
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) trajectory.parse(line);
});

test.skipIf(process.platform !== "linux")("S16 a place without rights is told as such", async () => {
  using repo = new LearnRepo();
  const refused = await repo.refused(["session", "learn", "--export", "puzzle", "-o", "/sys/cases.json"]);
  expect(refused).toMatchObject({ code: "no_permission" });
});
