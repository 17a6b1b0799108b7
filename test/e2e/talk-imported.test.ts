import { expect, test } from "vitest";
import type { SessionTimeline } from "../../src/contract/api/session-report.ts";
import { claudeEnd, claudeInit, playClaude, said, text } from "../support/stream-engine.ts";
import { ClaudeLines, ImportRepo } from "../support/transcripts.ts";

async function imported() {
  const repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Begin"),
    lines.agent("m-1", { type: "tool_use", id: "c1", name: "Bash", input: { command: "ls" } }),
    lines.result("c1", "a.txt"),
    lines.agent("m-2", { type: "text", text: "One" }),
    lines.user("And now"),
    lines.agent("m-3", { type: "tool_use", id: "c2", name: "Bash", input: { command: "pwd" } }),
    lines.result("c2", "/"),
  ]);
  const [id] = (await repo.import()).sessions as [string];
  return { repo, id };
}

test("W10 W12 --resume takes the engine's own id of an imported session", async () => {
  const { id, ...rest } = await imported();
  using repo = rest.repo;
  playClaude(repo, [
    { ...claudeInit, session_id: "s-1" },
    said({ id: "m9", blocks: [text("Here I am.")], tokens: [5, 1] }),
    claudeEnd([5, 1], 0.1, {}),
  ]);
  const { code, stdout, stderr } = await repo.run(["ai", "claude", "Go on", "--resume", "s-1", "--one-shot"]);
  expect([code, stderr, stdout]).toEqual([0, expect.any(String), expect.stringContaining("Here I am.")]);
  expect(JSON.stringify((await repo.show(id)).phases)).toContain("Here I am.");
});

test("W9 W12 the timeline of an imported session begins with its engine, and has its calls behind the words that led to them", async () => {
  const { id, ...rest } = await imported();
  using repo = rest.repo;
  const { events } = await repo.json<SessionTimeline>("session", "timeline", id);
  expect(events.map(({ kind, text: words }) => `${kind} ${words}`)).toEqual([
    "started Begin",
    "engine claude s-1",
    "phase Begin @claude",
    "user Begin",
    "call Bash ls",
    "phase And now @claude",
    "user And now",
    "call Bash pwd",
    "ended completed",
  ]);
});
