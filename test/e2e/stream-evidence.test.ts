import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import type { Evidence } from "../../src/contract/api/evidence.ts";
import { node } from "../support/node.ts";
import { linesOf } from "../support/hook-repo.ts";
import { RunRepo } from "../support/run-repo.ts";

const program = resolve(import.meta.dirname, "../support/acp-agent.mjs");

test("H3 where an engine calls no hooks, its stream is the witness of the calls of a talk", async () => {
  using repo = new RunRepo('- {name: build, type: agent, spell: "Build it.\n"}\n');
  repo.env["XDG_CONFIG_HOME"] = join(repo.root, ".git/own");
  await repo.clew("config", "set", "engines", JSON.stringify({ mine: { acp: [node, program] } }), "--user");
  const prompt = "Run `echo $GITHUB_TOKEN > made` and then `exit 3`.";
  const env = { GITHUB_TOKEN: "ghp_0123456789abcdefghijklmnopqrstuvwxyz" };
  const { stdout } = await repo.run(["ai", "mine", "--one-shot", "--level", "full", "--json", "--", prompt], { env });
  const { session_id: session } = JSON.parse(stdout.slice(0, stdout.indexOf("\n"))) as { session_id: string };
  const { evidence } = await repo.json<{ evidence: Evidence[] }>("evidence", "list", "--session", session);
  const whose = { run: null, session, step: null, engine: "mine", witnesses: ["stream"], tree: null };
  expect(evidence).toEqual([
    expect.objectContaining({
      ...whose,
      id: `${session}/1`,
      command: "echo $GITHUB_TOKEN > made",
      exit: 0,
      failed: false,
    }),
    expect.objectContaining({ ...whose, id: `${session}/2`, command: "exit 3", exit: 3, failed: true }),
  ]);
  expect(await repo.clew("evidence", "show", `${session}/2`)).toContain("exit 3");
  const lines = linesOf<{ via: string }>(join(repo.home, "evidence", `${session}.jsonl`));
  expect(new Set(lines.map(({ via }) => via))).toEqual(new Set(["stream"]));
});
