import { utimesSync } from "node:fs";
import { expect, test } from "vitest";
import { ClaudeLines, ImportRepo } from "../support/transcripts.ts";

const call = "toolu_61a66d02a7a0459d9370c5f5";
const child = "2026-11-16-sub-job";

test("W12 S5 a subagent whose file is taken in after its call's result is named in its agent's session, once", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const [meta, ...agentLines] = repo.fixture("claude.subagent");
  repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Delegate it"),
    lines.call("m-1", call, "Agent", { description: "sub job", prompt: "SUBPROMPT do it" }),
    lines.result(call, "sub finished"),
    lines.agent("m-2", { type: "text", text: "It is done." }),
  ]);
  const subagentFile = repo.leave(repo.claudePath("s-1/subagents/agent-ae393ecc5b367850c.jsonl"), agentLines);
  repo.leave(repo.claudePath("s-1/subagents/agent-ae393ecc5b367850c.meta.json"), [meta!]);
  const threeDaysAgo = Date.now() / 1000 - 3 * 86_400;
  utimesSync(subagentFile, threeDaysAgo, threeDaysAgo);

  const [id] = (await repo.import("--since", "1d")).sessions as [string];
  expect((await repo.show(id)).frontmatter.subagents).toBeUndefined();
  expect(await repo.import("--dry-run")).toMatchObject({ imported: 1, continued: 1, unchanged: 0 });
  expect(await repo.import()).toMatchObject({ imported: 1, continued: 1, unchanged: 0 });
  expect((await repo.show(child)).frontmatter).toMatchObject({ parent: id });
  const { frontmatter, phases } = await repo.show(id);
  expect(frontmatter).toMatchObject({ tokens_used: 220, cost_usd: 0.0009, subagents: [{ session: child }] });
  const callouts = phases.flatMap(({ entries }) => entries).filter(({ kind }) => kind === "subagent");
  expect(callouts).toMatchObject([{ session: child, tokens: 4040 }]);
  expect(await repo.import()).toMatchObject({ imported: 0, continued: 0, unchanged: 2 });
});

test("W12 S5 a subagent without the name of its call stands behind a call that starts agents, not where a result lists files", async () => {
  using repo = new ImportRepo();
  const lines = new ClaudeLines(repo.root, "s-1");
  const [, ...agentLines] = repo.fixture("claude.subagent");
  const name = "agent-ae393ecc5b367850c";
  repo.leave(repo.claudePath("s-1.jsonl"), [
    lines.user("Delegate it"),
    lines.call("m-1", "c-1", "Bash", { command: "ls" }),
    lines.result("c-1", `${name}.jsonl\n${"other.jsonl\n".repeat(200)}`),
    lines.call("m-2", "c-2", "Task", { description: "sub job", prompt: "SUBPROMPT do it" }),
    lines.result("c-2", `finished: ${name}`),
  ]);
  repo.leave(repo.claudePath(`s-1/subagents/${name}.jsonl`), agentLines);
  expect(await repo.import()).toMatchObject({ imported: 2 });
  const { phases } = await repo.show("2026-11-15-delegate-it");
  const order = phases
    .flatMap(({ entries }) => entries)
    .map((entry) => (entry.kind === "tool" ? entry.name : entry.kind));
  expect(order).toEqual(["user", "Bash", "Task", "subagent", "tokens"]);
});
